/**
 * The contract by which bytes of files reach buffers, {@link io.ariadne.io.ByteRangeReader}, and
 * the reader of local files.
 *
 * <p>May depend on {@code columnar.buffer} and {@code error}. Knows nothing of file formats or of
 * who asks.
 */
package io.ariadne.io;
