package io.ariadne.io.gds;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/**
 * Distinguishes a file from its replacement.
 *
 * @param key device and inode
 * @param lengthInBytes its length
 * @param modificationTimeMillis when it was modified, in milliseconds since 1970
 */
record FileIdentity(Object key, long lengthInBytes, long modificationTimeMillis) {
  /** Returns the identity of the file that a path leads to now. */
  static FileIdentity of(Path path) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    return new FileIdentity(
        attributes.fileKey(), attributes.size(), attributes.lastModifiedTime().toMillis());
  }

  /** Returns the identity of the file that a descriptor of this process is of. */
  static FileIdentity of(int descriptor) throws IOException {
    return of(pathOf(descriptor));
  }

  /** Returns a path that leads to the file of a descriptor, whatever its name is by now. */
  static Path pathOf(int descriptor) {
    return Path.of("/proc/self/fd/" + descriptor);
  }

  /** Returns whether another identity is of the same file, of any length and time. */
  boolean isOfSameFile(FileIdentity other) {
    return Objects.equals(key, other.key);
  }
}
