/**
 * Memory outside the Java heap: {@link io.ariadne.columnar.buffer.MemoryBuffer} with one owner,
 * {@link io.ariadne.columnar.buffer.SharedBuffer} with a reference count, the {@link
 * io.ariadne.columnar.buffer.BufferAllocator} contract, and {@link
 * io.ariadne.columnar.buffer.Closer} for owners of several objects.
 *
 * <p>May depend on {@code error}. {@link io.ariadne.columnar.buffer.Memory} is the only class that
 * touches {@code Unsafe}. Knows nothing of columns or pools.
 */
package io.ariadne.columnar.buffer;
