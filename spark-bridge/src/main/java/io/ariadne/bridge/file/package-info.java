/**
 * Files as Spark and Hadoop know them: the partitions of a file scan, and ranges of bytes of files
 * in any Hadoop file system as {@link io.ariadne.io.ByteRangeReader}s.
 *
 * <p>May depend on {@code columnar}, Spark and Hadoop. Knows nothing of file formats.
 */
package io.ariadne.bridge.file;
