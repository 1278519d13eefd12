package io.ariadne.kernelcompiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Writes the folder of generated Java classes. Keeps the time of unchanged files and deletes stale
 * files.
 */
final class GeneratedSources {

  private final Path folder;
  private final Set<Path> written = new HashSet<>();

  /**
   * Opens the folder.
   *
   * @param root source root, under which the package folder lies
   */
  GeneratedSources(Path root) throws IOException {
    this.folder = root.resolve(LayoutClassWriter.PACKAGE.replace('.', '/'));
    Files.createDirectories(folder);
  }

  /** Writes a class unless the file already has this content. */
  void write(String className, String source) throws IOException {
    Path file = folder.resolve(className + ".java");
    if (!written.add(file)) {
      throw new KernelBuildException("two generated classes are named " + className);
    }
    TextFiles.writeIfChanged(file, source);
  }

  /** Deletes the classes of an earlier build that this one did not write. */
  void deleteStale() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(path -> !written.contains(path)).toList()) {
        Files.delete(file);
      }
    }
  }
}
