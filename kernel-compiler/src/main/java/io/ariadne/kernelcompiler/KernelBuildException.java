package io.ariadne.kernelcompiler;

/** A failed kernel build; the message is all that the user of the build needs to see. */
public final class KernelBuildException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates a failure.
   *
   * @param message what failed and where, with the compiler's output
   */
  public KernelBuildException(String message) {
    super(message);
  }

  /**
   * Creates a failure with a cause.
   *
   * @param message what failed and where
   * @param cause the underlying failure
   */
  public KernelBuildException(String message, Throwable cause) {
    super(message, cause);
  }
}
