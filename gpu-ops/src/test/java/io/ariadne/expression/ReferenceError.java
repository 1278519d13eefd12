package io.ariadne.expression;

/** What the reference throws where an expression raises in ANSI mode. */
final class ReferenceError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int code;

  ReferenceError(int code) {
    super(ExpressionError.describe(code), null, false, false);
    this.code = code;
  }

  int code() {
    return code;
  }
}
