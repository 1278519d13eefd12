/**
 * Functions of arrays, structs and maps that only move values: column by column, on the host, where
 * nested columns are. They are {@link io.ariadne.columnar.ColumnFunction}s that run in a pipeline
 * as bridged calls do, without Spark: {@link io.ariadne.expression.nested.ArraySize}, {@link
 * io.ariadne.expression.nested.ArrayItem}, {@link io.ariadne.expression.nested.MapValue}, {@link
 * io.ariadne.expression.nested.ListParts}, {@link io.ariadne.expression.nested.StructOf}, and
 * {@link io.ariadne.expression.nested.OrderBytes} for sorts. Only {@link
 * io.ariadne.expression.nested.CheckedArrayItem} may raise.
 *
 * <p>May depend on {@code columnar}. Knows nothing of kernels, operators or Spark.
 */
package io.ariadne.expression.nested;
