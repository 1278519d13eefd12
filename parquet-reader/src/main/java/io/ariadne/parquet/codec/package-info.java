/**
 * Decompression of page bodies through the libraries that Spark brings, and of Snappy by a kernel
 * where those see host memory: {@link io.ariadne.parquet.codec.Decompressors} owns one {@link
 * io.ariadne.parquet.codec.Decompressor} per codec and thread of work.
 *
 * <p>Everything goes from host memory to host memory; sizes come from untrusted page headers, so
 * that no decompressor writes beyond the declared size or reads beyond its input. May depend on
 * {@code backend}, {@code kernel.parquet}, {@code columnar} and the codec libraries. Knows nothing
 * of pages or files.
 */
package io.ariadne.parquet.codec;
