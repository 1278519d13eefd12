/**
 * Compression of buffers: {@link io.ariadne.shuffle.codec.Codec}, and {@link
 * io.ariadne.shuffle.codec.CompressionPolicy}, which decides per destination whether it pays.
 *
 * <p>May depend on {@code columnar.buffer} and {@code error}. Knows nothing of batches and blocks.
 */
package io.ariadne.shuffle.codec;
