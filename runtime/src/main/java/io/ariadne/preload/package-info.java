/**
 * Reads bytes of files before scans need them: {@link io.ariadne.preload.PreloadExecutor}.
 *
 * <p>A scan says what it will read, in the order of use ({@link io.ariadne.io.ReadAheadScan}). The
 * executor turns that into requests, keeps as many in progress as the storage rewards ({@link
 * io.ariadne.preload.RequestLimit}), and holds as many bytes as compute threads need to find them
 * there ({@link io.ariadne.preload.ReadAheadDepth}), within its share of the host memory. It never
 * makes operators spill: bytes that nothing waits for are read only into memory that is free, and
 * given back when memory runs short.
 *
 * <p>May depend on {@code io}, {@code columnar.buffer}, {@code memory} and {@code event}. Knows
 * nothing of file formats, fragments or pipelines.
 */
package io.ariadne.preload;
