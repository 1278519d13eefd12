package io.ariadne.bridge.imports;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes 16-byte views and the heaps they point into.
 *
 * <p>A view consists of the i32 length, then either up to 12 bytes of the value, zero padded, or
 * its first 4 bytes, the i32 heap number and the i32 offset in the heap. Source: Arrow columnar
 * format, "Variable-size Binary View Layout". Heap sizes double from 16 KiB to 4 MiB; a larger
 * request gets a heap of its own size.
 */
final class HeapWriter implements AutoCloseable {
  /** Length of the longest value that a view contains completely. */
  static final int MAX_INLINE_BYTES = 12;

  /** Bytes of a view. */
  static final int VIEW_BYTES = 16;

  private static final int PREFIX_OFFSET = 4;
  private static final int MIN_HEAP_BYTES = 16 << 10;
  private static final int MAX_HEAP_BYTES = 4 << 20;
  private static final long INT_MASK = 0xFFFF_FFFFL;

  private final BufferAllocator allocator;
  private final List<SharedBuffer> full = new ArrayList<>();
  private MemoryBuffer heap;
  private int used;
  private int heapBytes;
  private long totalBytes;

  HeapWriter(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /** Returns the bytes in all heaps since the last {@link #takeHeaps}. */
  long totalBytes() {
    return totalBytes;
  }

  /**
   * Allocates {@code length} bytes of the current heap, which the caller fills.
   *
   * @return the second half of a view of the first byte: heap number and offset; add an offset
   *     {@code << 32} for later bytes
   */
  long take(int length) {
    if (heap == null || length > heap.lengthInBytes() - used) {
      int wanted = Math.min(MAX_HEAP_BYTES, Math.max(MIN_HEAP_BYTES, heapBytes * 2));
      MemoryBuffer next = allocator.allocate(Math.max(wanted, length));
      seal();
      heap = next;
      heapBytes = wanted;
    }
    long place = (long) used << Integer.SIZE | full.size();
    used += length;
    totalBytes += length;
    return place;
  }

  /** Returns the address of a place that the last {@link #take} returned. */
  long address(long place) {
    return heap.address() + (place >>> Integer.SIZE);
  }

  /** Writes a view of bytes that are short, or in a heap already. */
  void putView(long view, byte[] source, int offset, int length, long place) {
    if (length <= MAX_INLINE_BYTES) {
      Memory.putLong(view, length);
      Memory.putLong(view + Long.BYTES, 0);
      Memory.copy(source, offset, view + PREFIX_OFFSET, length);
    } else {
      Memory.putLong(view, length);
      Memory.copy(source, offset, view + PREFIX_OFFSET, Integer.BYTES);
      Memory.putLong(view + Long.BYTES, place);
    }
  }

  /** Does the same for bytes of host memory. */
  void putView(long view, long source, int length, long place) {
    if (length <= MAX_INLINE_BYTES) {
      Memory.putLong(view, length);
      Memory.putLong(view + Long.BYTES, 0);
      Memory.copy(source, view + PREFIX_OFFSET, length);
    } else {
      Memory.putLong(view, length | (Memory.getInt(source) & INT_MASK) << Integer.SIZE);
      Memory.putLong(view + Long.BYTES, place);
    }
  }

  /** Writes a view and, for a long value, copies the bytes to a heap. */
  void append(long view, byte[] source, int offset, int length) {
    long place = 0;
    if (length > MAX_INLINE_BYTES) {
      place = take(length);
      Memory.copy(source, offset, address(place), length);
    }
    putView(view, source, offset, length, place);
  }

  /** Does the same for bytes of host memory. */
  void append(long view, long source, int length) {
    long place = 0;
    if (length > MAX_INLINE_BYTES) {
      place = take(length);
      Memory.copy(source, address(place), length);
    }
    putView(view, source, length, place);
  }

  private void seal() {
    if (heap != null) {
      full.add(new SharedBuffer(heap.withLength(used)));
      heap = null;
      used = 0;
    }
  }

  /** Passes the heaps to the caller, one reference each. This writer is empty afterwards. */
  List<SharedBuffer> takeHeaps() {
    seal();
    List<SharedBuffer> heaps = List.copyOf(full);
    full.clear();
    heapBytes = 0;
    totalBytes = 0;
    return heaps;
  }

  @Override
  public void close() {
    takeHeaps().forEach(SharedBuffer::release);
  }
}
