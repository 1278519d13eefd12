package io.ariadne.expression.compiler;

import io.ariadne.expression.Call;
import io.ariadne.expression.EvaluationMode;

/**
 * Describes a failure of an operation: the expression that fails, its error, and what happens then.
 *
 * @param mode what the operation does where it fails: raises the error, wraps around or yields
 *     null; never null itself
 * @param origin number of the expression, -1 if it has none
 * @param code an {@link io.ariadne.expression.ExpressionError} code
 */
record FailureSite(EvaluationMode mode, int origin, int code) {
  /** The number that programs use for an expression without an origin. */
  static final int UNKNOWN_ORIGIN = 0xffff;

  static FailureSite of(Call call, int code) {
    return new FailureSite(call.mode(), call.origin(), code);
  }
}
