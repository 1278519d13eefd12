package io.ariadne.expression;

/** What an expression does on overflow, division by zero and invalid casts (Spark's EvalMode). */
public enum EvaluationMode {
  /** Wraps around or yields null, as Spark with ANSI off. */
  LEGACY,
  /** Raises Spark's error. */
  ANSI,
  /** Yields null. */
  TRY
}
