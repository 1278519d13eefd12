package io.ariadne.kernelcompiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/** A folder of native outputs that holds exactly the files of this build. */
final class OutputFolder {

  private final Path root;
  private final Set<Path> present = new HashSet<>();

  OutputFolder(Path root) {
    this.root = root;
  }

  /** Copies a file to a path below the folder. */
  void add(Path file, String name) throws IOException {
    Path target = root.resolve(name);
    TextFiles.copyIfChanged(file, target);
    present.add(target);
  }

  /** Writes a text to a path below the folder. */
  void addText(String text, String name) throws IOException {
    Path target = root.resolve(name);
    TextFiles.writeIfChanged(target, text);
    present.add(target);
  }

  /** Deletes files that an earlier build left. */
  void deleteStale() throws IOException {
    if (!Files.isDirectory(root)) {
      return;
    }
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!present.contains(file)) {
          Files.delete(file);
        }
      }
    }
  }
}
