package io.ariadne.shuffle.catalog;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Files whose bytes are not what was written. */
final class DamagedFiles {
  private static final int STEP = 512;

  private DamagedFiles() {}

  /** Changes bytes all over every file below a folder. */
  static void damageAll(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    for (Path path : files) {
      try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
        for (long at = 0; at < file.length(); at += STEP) {
          file.seek(at);
          int old = file.read();
          file.seek(at);
          file.write(old ^ 1);
        }
      }
    }
  }
}
