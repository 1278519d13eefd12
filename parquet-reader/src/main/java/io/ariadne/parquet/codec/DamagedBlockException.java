package io.ariadne.parquet.codec;

import java.io.IOException;

/** Signals that one page body of several cannot be decompressed. */
public final class DamagedBlockException extends IOException {
  private static final long serialVersionUID = 1;

  private final int block;

  /**
   * Creates an exception.
   *
   * @param block index of the damaged body among those passed to the decompressor
   * @param message what is wrong with the body
   * @param cause the exception that revealed the damage
   */
  public DamagedBlockException(int block, String message, Throwable cause) {
    super(message, cause);
    this.block = block;
  }

  /** Returns the index of the damaged body among those passed to the decompressor. */
  public int block() {
    return block;
  }
}
