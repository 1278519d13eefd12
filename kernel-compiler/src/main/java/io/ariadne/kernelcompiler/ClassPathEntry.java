package io.ariadne.kernelcompiler;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** Where a class was loaded from, to pass it on to a child JVM. */
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
