/**
 * Memory outside the Java heap: {@link io.ariadne.columnar.buffer.MemoryBuffer} with one owner,
 * {@link io.ariadne.columnar.buffer.SharedBuffer} with counted holders, and the {@link
 * io.ariadne.columnar.buffer.BufferAllocator} contract.
 *
 * <p>May depend on {@code error}. {@link io.ariadne.columnar.buffer.Memory} is the only class that
 * touches {@code Unsafe}. Knows nothing of columns or of who limits memory.
 */
package io.ariadne.columnar.buffer;
