/**
 * Decoding of Parquet pages as Java sees it.
 *
 * <p>{@link io.ariadne.kernel.parquet.ParquetTasks} lists the page windows of a launch; the other
 * classes each launch one or a few kernels over such a list. Everything that a page says is checked
 * by the kernels; {@link io.ariadne.kernel.parquet.ParquetPageException} tells which task is at
 * fault and where. May depend on {@code backend}, {@code kernel.abi} and {@code columnar}. Knows
 * nothing of files, footers or page headers.
 */
package io.ariadne.kernel.parquet;
