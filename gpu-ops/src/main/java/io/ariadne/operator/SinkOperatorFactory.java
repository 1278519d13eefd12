package io.ariadne.operator;

/**
 * Creates the {@link SinkOperator} at the end of a pipeline, once per execution. Thread-safe and
 * immutable.
 */
@FunctionalInterface
public interface SinkOperatorFactory {
  /**
   * Creates a sink.
   *
   * @param context the sink's surroundings
   * @return a sink owned by the caller
   */
  SinkOperator create(OperatorContext context);

  /** Returns where the operator reads most columns. A scan then decodes them there. */
  default ColumnUse columnUse() {
    return ColumnUse.ANYWHERE;
  }
}
