package io.ariadne.operator;

/**
 * Makes the instances of one {@link Operator} of a pipeline: one per thread of work. Thread-safe
 * and immutable.
 */
@FunctionalInterface
public interface OperatorFactory {
  /**
   * Creates an operator.
   *
   * @param context where memory comes from and how cancellation is seen
   * @return an operator owned by the caller
   */
  Operator create(OperatorContext context);

  /**
   * Returns whether operators keep nothing from batch to batch and of no other operator: then one
   * that is made between two batches, also for another back end, may take the place of another.
   */
  default boolean isReplaceable() {
    return false;
  }
}
