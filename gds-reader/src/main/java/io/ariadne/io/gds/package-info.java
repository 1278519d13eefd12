/**
 * Files of local and shared file systems read straight into GPU memory with cuFile, and through
 * pinned memory where the driver or the file system does not allow that: {@link
 * io.ariadne.io.gds.DirectStorage}.
 *
 * <p>May depend on {@code io}, {@code columnar.buffer} and {@code error}. Knows nothing of file
 * formats, of who allocates device memory, or of JCuda: a device buffer is an address and a tier.
 */
package io.ariadne.io.gds;
