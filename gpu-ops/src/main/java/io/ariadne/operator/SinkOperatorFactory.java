package io.ariadne.operator;

/**
 * Makes the one {@link SinkOperator} at the end of a pipeline, once per execution. Thread-safe and
 * immutable.
 */
@FunctionalInterface
public interface SinkOperatorFactory {
  /**
   * Creates a sink.
   *
   * @param context where memory comes from and how cancellation is seen
   * @return a sink owned by the caller
   */
  SinkOperator create(OperatorContext context);
}
