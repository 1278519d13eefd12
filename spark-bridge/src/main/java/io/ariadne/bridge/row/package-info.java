/**
 * Converts Spark's rows to Ariadne's columns: {@link io.ariadne.bridge.row.RowImporter} uses {@link
 * io.ariadne.bridge.row.ValueWriter}, one writer per type.
 *
 * <p>May depend on {@code columnar}, {@code columnar.builder}, {@code bridge.type}, {@code
 * bridge.task} and Catalyst's rows. Knows nothing of Spark's column vectors.
 */
package io.ariadne.bridge.row;
