/**
 * Converts Spark's columnar batches to Ariadne's: {@link
 * io.ariadne.bridge.imports.ColumnarImporter} has one {@link
 * io.ariadne.bridge.imports.ColumnImport} per column that copies in bulk.
 *
 * <p>This is the only package that knows the layout of Spark's own vector classes. May depend on
 * {@code columnar}, {@code bridge.task}, {@code bridge.vector} and {@code bridge.row}.
 */
package io.ariadne.bridge.imports;
