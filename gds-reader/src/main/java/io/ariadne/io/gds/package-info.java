/**
 * Reads files of local and shared file systems directly into GPU memory with cuFile, and through
 * pinned memory where the driver or the file system does not support that: {@link
 * io.ariadne.io.gds.DirectStorage}.
 *
 * <p>May depend on {@code io}, {@code columnar.buffer} and {@code error}. Knows nothing of file
 * formats, of the allocation of device memory, or of JCuda: a device buffer is an address and a
 * tier.
 */
package io.ariadne.io.gds;
