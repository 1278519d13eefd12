/**
 * A scan of Parquet files: from a list of file slices to batches.
 *
 * <p>Entered by {@link io.ariadne.parquet.scan.ParquetScanSpec} (what is read of every file) and
 * {@link io.ariadne.parquet.scan.FileSlice} (which bytes of which file one task reads). May depend
 * on the packages below it in this module and on {@code gpu-ops}. Knows nothing of Spark, tasks or
 * of how files are opened: that is the caller's {@link io.ariadne.parquet.scan.FileOpener}.
 */
package io.ariadne.parquet.scan;
