package io.ariadne.rules.expression;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;

/** Thrown by a translation when no kernel computes the expression; the message says why. */
final class NoKernelException extends EngineException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param reason the reason, to be printed after the expression
   */
  NoKernelException(String reason) {
    super(ErrorCode.UNSUPPORTED, reason);
  }
}
