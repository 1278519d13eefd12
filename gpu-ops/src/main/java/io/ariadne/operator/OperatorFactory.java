package io.ariadne.operator;

/**
 * Creates the instances of one {@link Operator} of a pipeline: one per pipeline driver. Thread-safe
 * and immutable.
 */
@FunctionalInterface
public interface OperatorFactory {
  /**
   * Creates an operator.
   *
   * @param context the operator's surroundings
   * @return an operator owned by the caller
   */
  Operator create(OperatorContext context);

  /**
   * Returns whether an operator has no state between two batches and shares none with other
   * operators. Then another instance, also one for another back end, may replace it between two
   * batches.
   */
  default boolean isReplaceable() {
    return false;
  }

  /** Returns where the operator reads most columns. A scan then decodes them there. */
  default ColumnUse columnUse() {
    return ColumnUse.ANYWHERE;
  }
}
