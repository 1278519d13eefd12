package io.ariadne.kernel.tile;

import io.ariadne.backend.KernelError;

/** An error that a program raised because of the user's data. */
public final class TileProgramException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient KernelError error;

  TileProgramException(KernelError error) {
    super(error.toString(), null, false, false);
    this.error = error;
  }

  /** Returns row, expression number and code. */
  public KernelError error() {
    return error;
  }
}
