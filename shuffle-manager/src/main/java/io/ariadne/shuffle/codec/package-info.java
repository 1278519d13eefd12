/**
 * Compression of bytes in host memory: {@link io.ariadne.shuffle.codec.Codec}, and {@link
 * io.ariadne.shuffle.codec.CompressionPolicy}, which decides whether it pays.
 *
 * <p>May depend on {@code columnar.buffer} and {@code error}. Knows nothing of batches and blocks.
 */
package io.ariadne.shuffle.codec;
