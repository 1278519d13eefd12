package io.ariadne.kernelcompiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A compiler's dependency file in make syntax: one target, then the files that were read. */
final class Depfile {

  private Depfile() {}

  /** Returns the files named after the colon, in order of appearance. */
  static List<Path> read(Path file) throws IOException {
    return parse(Files.readString(file));
  }

  /** Returns the files named after the first colon of a text in make syntax. */
  static List<Path> parse(String text) {
    int colon = text.indexOf(": ");
    if (colon < 0) {
      throw new KernelBuildException("not a dependency file: " + text);
    }
    List<Path> files = new ArrayList<>();
    StringBuilder name = new StringBuilder();
    String list = text.substring(colon + 2).replace("\\\n", " ");
    for (int i = 0; i < list.length(); i++) {
      char c = list.charAt(i);
      if (c == '\\' && i + 1 < list.length() && list.charAt(i + 1) == ' ') {
        name.append(' ');
        i++;
      } else if (Character.isWhitespace(c)) {
        addName(files, name);
      } else {
        name.append(c);
      }
    }
    addName(files, name);
    return files;
  }

  private static void addName(List<Path> files, StringBuilder name) {
    if (name.length() > 0) {
      files.add(Path.of(name.toString()));
      name.setLength(0);
    }
  }
}
