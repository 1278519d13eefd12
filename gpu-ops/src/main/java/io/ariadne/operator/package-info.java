/**
 * Operators: the {@link io.ariadne.operator.Operator} contract and its implementations.
 *
 * <p>May depend on {@code expression}, {@code kernel}, {@code backend}, {@code columnar}, {@code
 * memory} and {@code spill}. Operators take parameters, not plan nodes, and know nothing of tasks,
 * threads or Spark.
 */
package io.ariadne.operator;
