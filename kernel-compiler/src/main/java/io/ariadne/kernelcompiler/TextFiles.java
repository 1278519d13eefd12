package io.ariadne.kernelcompiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Writes files whose modification time matters to later steps. */
final class TextFiles {

  private TextFiles() {}

  /** Writes a text unless the file already has this content. */
  static void writeIfChanged(Path file, String text) throws IOException {
    if (Files.isRegularFile(file) && Files.readString(file).equals(text)) {
      return;
    }
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** Copies a file unless the target already has the same content. */
  static void copyIfChanged(Path from, Path to) throws IOException {
    byte[] content = Files.readAllBytes(from);
    if (Files.isRegularFile(to) && Arrays.equals(Files.readAllBytes(to), content)) {
      return;
    }
    Files.createDirectories(to.getParent());
    Files.write(to, content);
  }
}
