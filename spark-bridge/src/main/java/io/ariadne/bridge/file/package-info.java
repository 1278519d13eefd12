/**
 * Files as Spark and Hadoop know them: the partitions of a file scan, and ranges of bytes of files
 * in any Hadoop file system as {@link io.ariadne.io.ByteRangeReader}s.
 *
 * <p>May depend on {@code columnar}, Spark and Hadoop. Of file formats only {@link
 * io.ariadne.bridge.file.ReadReplay} knows anything: it has Spark's own reader read a file.
 */
package io.ariadne.bridge.file;
