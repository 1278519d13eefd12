package io.ariadne.io.cache;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

/**
 * Creates, checks and deletes folders of the cache. They belong to this user alone: in a folder
 * that others may write to, such as {@code /tmp}, another user could have made the folder, or a
 * link in its place, and would get the bytes or choose them.
 */
final class CacheFolders {
  /** Opens a file to write it from its beginning. */
  static final Set<OpenOption> OVERWRITE =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

  /** Opens a file that does not exist. */
  static final Set<OpenOption> NEW =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

  /** Permissions of new files. */
  static final FileAttribute<Set<PosixFilePermission>> FILE_PERMISSIONS =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private static final Set<PosixFilePermission> OURS = PosixFilePermissions.fromString("rwx------");

  /** Who we are; null until a folder has been checked. */
  private static volatile UserPrincipal self;

  private CacheFolders() {}

  /**
   * Creates a folder that only this user may enter, unless there is one.
   *
   * @throws IOException when there is something else of that name, or a folder of another user
   */
  static void create(Path folder) throws IOException {
    try {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OURS));
    } catch (FileAlreadyExistsException e) {
      check(folder);
    }
  }

  private static void check(Path folder) throws IOException {
    PosixFileAttributes found = attributes(folder);
    if (!found.isDirectory()) {
      throw new IOException("is not a folder: " + folder);
    }
    if (!found.owner().equals(self(folder))) {
      throw new IOException("belongs to user " + found.owner() + ", not to this one: " + folder);
    }
    if (!found.permissions().equals(OURS)) {
      Files.setPosixFilePermissions(folder, OURS);
    }
  }

  private static PosixFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns the owner of what this process creates; tries that once, in a folder. */
  private static UserPrincipal self(Path folder) throws IOException {
    UserPrincipal known = self;
    if (known == null) {
      Path probe = Files.createTempDirectory(folder, "owner-");
      try {
        known = attributes(probe).owner();
      } finally {
        Files.deleteIfExists(probe);
      }
      self = known;
    }
    return known;
  }

  /** Is called for each entry of a folder. */
  interface Visitor {
    /** Takes an entry. */
    void visit(Path path) throws IOException;
  }

  /** Calls a visitor for each entry of a folder; a folder that does not exist has none. */
  static void forEach(Path folder, Visitor visitor) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        visitor.visit(entry);
      }
    } catch (NoSuchFileException e) {
      // It has just been deleted.
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /** Deletes a folder with all that is in it; links are deleted, not followed. */
  static void deleteTree(Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      forEach(path, CacheFolders::deleteTree);
    }
    Files.deleteIfExists(path);
  }
}
