package io.ariadne.kernel.parquet;

import io.ariadne.backend.KernelError;
import io.ariadne.kernel.abi.ParquetError;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Locale;

/** A page cannot be decoded because its bytes or its header are wrong. */
public final class ParquetPageException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final String PREFIX = "PARQUET_ERROR_";

  private final int window;
  private final long byteOffset;
  private final int code;

  ParquetPageException(KernelError error) {
    super(describe(error), null, false, false);
    this.window = error.expression();
    this.byteOffset = error.row();
    this.code = error.code();
  }

  /** Returns the number of the window in its launch. */
  public int window() {
    return window;
  }

  /** Returns the offset of the wrong byte in the window's stream. */
  public long byteOffset() {
    return byteOffset;
  }

  /** Returns a constant of {@link ParquetError}. */
  public int code() {
    return code;
  }

  private static String describe(KernelError error) {
    return String.format(
        "%s at byte %d of page window %d", nameOf(error.code()), error.row(), error.expression());
  }

  private static String nameOf(int code) {
    for (Field field : ParquetError.class.getFields()) {
      try {
        if (Modifier.isStatic(field.getModifiers()) && field.getInt(null) == code) {
          String name = field.getName().substring(PREFIX.length());
          return name.toLowerCase(Locale.ROOT).replace('_', ' ');
        }
      } catch (IllegalAccessException e) {
        throw new IllegalStateException("constants are public", e);
      }
    }
    return "error " + code;
  }
}
