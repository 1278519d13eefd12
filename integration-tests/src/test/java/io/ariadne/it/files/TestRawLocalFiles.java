package io.ariadne.it.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsConstants;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Permissions and links must be those that Hadoop's own processes would set and find. */
class TestRawLocalFiles {
  private final RawLocalFiles files = new RawLocalFiles();
  @TempDir private Path folder;

  @BeforeEach
  void initialize() throws IOException {
    files.initialize(FsConstants.LOCAL_FS_URI, new Configuration());
  }

  @Test
  void setsPermissions() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    for (int mode : new int[] {0640, 0, 0777, 0444}) {
      files.setPermission(hadoop(file), new FsPermission((short) mode));
      assertEquals(mode, modeOf(file));
    }
  }

  @Test
  void setsTheStickyBit() throws IOException {
    files.setPermission(hadoop(folder), new FsPermission((short) 01755));
    assertEquals(01755, modeOf(folder));
  }

  @Test
  void recognizesLinks() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    assertFalse(files.getFileLinkStatus(hadoop(file)).isSymlink());
    assertTrue(files.getFileLinkStatus(hadoop(link)).isSymlink());
    org.apache.hadoop.fs.Path missing = hadoop(folder.resolve("missing"));
    assertThrows(IOException.class, () -> files.getFileLinkStatus(missing));
    assertThrows(
        IOException.class, () -> files.setPermission(missing, FsPermission.getFileDefault()));
  }

  private static org.apache.hadoop.fs.Path hadoop(Path path) {
    return new org.apache.hadoop.fs.Path(path.toString()); // Hadoop finds no link by a URI
  }

  private static int modeOf(Path path) throws IOException {
    return (Integer) Files.getAttribute(path, "unix:mode") & 07777;
  }
}
