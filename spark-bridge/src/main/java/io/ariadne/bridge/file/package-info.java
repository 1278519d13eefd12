/**
 * Files as Spark and Hadoop know them: the partitions of a file scan, and byte ranges of files in
 * any Hadoop file system as {@link io.ariadne.io.ByteRangeReader}s.
 *
 * <p>May depend on {@code columnar}, Spark and Hadoop. Only {@link
 * io.ariadne.bridge.file.ReadReplay} depends on a file format: it lets Spark's own reader read a
 * file.
 */
package io.ariadne.bridge.file;
