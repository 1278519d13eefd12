/**
 * Scans Parquet files: turns a list of file slices into batches.
 *
 * <p>Enter at {@link io.ariadne.parquet.scan.ParquetScanSpec} (what to read from every file) and
 * {@link io.ariadne.parquet.scan.FileSlice} (which bytes of which file one task reads). May depend
 * on the packages below it in this module and on {@code gpu-ops}. Knows nothing of Spark, tasks or
 * of how files are opened: the caller supplies a {@link io.ariadne.parquet.scan.FileOpener}.
 */
package io.ariadne.parquet.scan;
