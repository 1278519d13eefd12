/**
 * Reads bytes of files into buffers: the interface {@link io.ariadne.io.ByteRangeReader}, and the
 * reader of local files.
 *
 * <p>May depend on {@code columnar.buffer} and {@code error}. Knows nothing of file formats or
 * callers.
 */
package io.ariadne.io;
