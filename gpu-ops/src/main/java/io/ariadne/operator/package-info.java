/**
 * The contracts between operators and the runtime that runs them.
 *
 * <p>An {@link io.ariadne.operator.Operator} transforms batches. A {@link
 * io.ariadne.operator.SinkOperator} ends a pipeline: it needs its whole input before it emits rows.
 * A {@link io.ariadne.operator.SplitSource} starts one: its splits are read independently.
 * Factories create one instance per pipeline driver and pass it an {@link
 * io.ariadne.operator.OperatorContext}. The operators themselves are in the subpackages.
 *
 * <p>May depend on {@code kernel.column}, {@code backend}, {@code columnar}, {@code memory} and
 * {@code spill}; never on its subpackages. Operators take parameters, not plan nodes, and know
 * nothing of tasks, threads or Spark.
 */
package io.ariadne.operator;
