package io.ariadne.parquet.codec;

import java.io.IOException;

/** One of several page bodies cannot be decompressed. */
public final class DamagedBlockException extends IOException {
  private static final long serialVersionUID = 1;

  private final int block;

  /**
   * Creates an exception.
   *
   * @param block number of the body among those that were to be decompressed
   * @param message what is wrong with it
   * @param cause what found out
   */
  public DamagedBlockException(int block, String message, Throwable cause) {
    super(message, cause);
    this.block = block;
  }

  /** Returns the number of the body among those that were to be decompressed. */
  public int block() {
    return block;
  }
}
