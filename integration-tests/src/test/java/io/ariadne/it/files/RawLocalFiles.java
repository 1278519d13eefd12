package io.ariadne.it.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Hadoop's local files with permissions and links by the JDK. Without Hadoop's native library it
 * starts a process for each file that is written or renamed, which took most of the processor time
 * of Spark's streaming suites. Source: {@code RawLocalFileSystem}.
 */
final class RawLocalFiles extends RawLocalFileSystem {
  @Override
  public void setPermission(Path path, FsPermission permission) throws IOException {
    if (permission.getStickyBit()) {
      super.setPermission(path, permission); // the JDK knows no such bit
    } else {
      Files.setPosixFilePermissions(
          pathToFile(path).toPath(), PosixFilePermissions.fromString(permission.toString()));
    }
  }

  @Override
  public FileStatus getFileLinkStatus(Path path) throws IOException {
    return Files.isSymbolicLink(pathToFile(path).toPath())
        ? super.getFileLinkStatus(path)
        : getFileStatus(path);
  }
}
