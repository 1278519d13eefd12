package io.ariadne.expression.compiler;

import io.ariadne.expression.Call;
import io.ariadne.expression.EvaluationMode;

/**
 * Where an operation can fail, and what happens then.
 *
 * @param mode raise, or null
 * @param origin number of the expression, -1 without a number
 * @param code an {@link io.ariadne.expression.ExpressionError} code
 */
record FailureSite(EvaluationMode mode, int origin, int code) {
  /** The number that programs use for an expression without an origin. */
  static final int UNKNOWN_ORIGIN = 0xffff;

  static FailureSite of(Call call, int code) {
    return new FailureSite(call.mode(), call.origin(), code);
  }
}
