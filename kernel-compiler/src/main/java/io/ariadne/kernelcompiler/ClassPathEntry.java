package io.ariadne.kernelcompiler;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** Locates the class path entry of a class, for the class path of a child JVM. */
final class ClassPathEntry {

  private ClassPathEntry() {}

  /** Returns the jar or folder that holds a class. */
  static Path of(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("cannot locate " + type, e);
    }
  }
}
