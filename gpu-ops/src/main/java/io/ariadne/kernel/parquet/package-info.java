/**
 * Java access to the kernels that decode Parquet pages.
 *
 * <p>{@link io.ariadne.kernel.parquet.StreamWindows} lists the page windows of a launch; each of
 * the other classes launches one or a few kernels over such a list. The kernels check everything
 * that a page contains; {@link io.ariadne.kernel.parquet.ParquetPageException} tells which window
 * is damaged and where. May depend on {@code backend}, {@code kernel.abi} and {@code columnar}.
 * Knows nothing of files, footers or page headers.
 */
package io.ariadne.kernel.parquet;
