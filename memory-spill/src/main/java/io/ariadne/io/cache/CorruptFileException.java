package io.ariadne.io.cache;

import java.io.IOException;
import java.nio.file.Path;

/** A file of the cache does not have the bytes that were written. Never leaves this package. */
final class CorruptFileException extends IOException {
  private static final long serialVersionUID = 1L;

  CorruptFileException(Path file, String detail) {
    super(detail + ": " + file);
  }
}
