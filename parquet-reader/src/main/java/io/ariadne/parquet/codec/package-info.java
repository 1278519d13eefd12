/**
 * Decompresses page bodies with the libraries that Spark ships, and Snappy with a kernel where
 * kernels see host memory. {@link io.ariadne.parquet.codec.Decompressors} owns one {@link
 * io.ariadne.parquet.codec.Decompressor} per codec and scan worker.
 *
 * <p>All input and output is in host memory. Sizes come from untrusted page headers, so no
 * decompressor writes beyond the declared size or reads beyond its input. May depend on {@code
 * backend}, {@code kernel.parquet}, {@code columnar} and the codec libraries. Knows nothing of
 * pages or files.
 */
package io.ariadne.parquet.codec;
