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
}
