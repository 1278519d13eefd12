package io.ariadne.columnar.builder;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Builds columns of strings or bytes as 16-byte views; values of more than 12 bytes go to heaps.
 *
 * <p>View: i32 length; then up to 12 bytes of the value, zero padded, or its first 4 bytes, i32
 * heap number and i32 offset in the heap. Source: Arrow columnar format, "Variable-size Binary View
 * Layout". Heaps double from 4 KiB to 1 MiB; a larger value gets a heap of its own size.
 */
public final class ViewBuilder extends ColumnBuilder {
  /** Bytes of the longest value that fits into its view. */
  public static final int MAX_INLINE_BYTES = 12;

  private static final int VIEW_BYTES = 16;
  private static final int PREFIX_OFFSET = 4;
  private static final int HEAP_INDEX_OFFSET = 8;
  private static final int HEAP_OFFSET_OFFSET = 12;
  private static final int MIN_HEAP_BYTES = 4 << 10;
  private static final int MAX_HEAP_BYTES = 1 << 20;

  private final GrowableBuffer views;
  private final List<SharedBuffer> full = new ArrayList<>();
  private MemoryBuffer heap;
  private int heapUsed;
  private int heapBytes;

  ViewBuilder(DataType type, BufferAllocator allocator) {
    super(type, PhysicalType.VIEW16, allocator);
    this.views = new GrowableBuffer(allocator, false);
  }

  /** Appends a value. */
  public void append(byte[] value) {
    append(value, 0, value.length);
  }

  /** Appends {@code length} bytes of an array from {@code offset}. */
  public void append(byte[] value, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, value.length);
    long view = nextView(length);
    if (length <= MAX_INLINE_BYTES) {
      Memory.copy(value, offset, view + PREFIX_OFFSET, length);
    } else {
      Memory.copy(value, offset, view + PREFIX_OFFSET, Integer.BYTES);
      Memory.copy(value, offset, takeHeapBytes(view, length), length);
    }
    endValue();
  }

  /**
   * Appends bytes of host memory.
   *
   * @param address first byte; the caller checks the range
   * @param length bytes, at least 0
   */
  public void append(long address, int length) {
    long view = nextView(length);
    if (length <= MAX_INLINE_BYTES) {
      Memory.copy(address, view + PREFIX_OFFSET, length);
    } else {
      Memory.putInt(view + PREFIX_OFFSET, Memory.getInt(address));
      Memory.copy(address, takeHeapBytes(view, length), length);
    }
    endValue();
  }

  /** Appends text as UTF-8; unpaired surrogates become '?'. */
  public void append(String value) {
    append(value.getBytes(StandardCharsets.UTF_8));
  }

  /** Ensures memory for a view and in a heap; clears the view and writes only the length. */
  private long nextView(int length) {
    if (length < 0) {
      throw new IllegalArgumentException("length is negative: " + length);
    }
    if (length > MAX_INLINE_BYTES) {
      ensureHeap(length);
    }
    long end = (rowCount() + 1L) * VIEW_BYTES;
    views.ensure(end);
    long view = views.address() + end - VIEW_BYTES;
    Memory.putLong(view, length);
    Memory.putLong(view + Long.BYTES, 0);
    return view;
  }

  private void ensureHeap(int length) {
    if (heap != null && length <= heap.lengthInBytes() - heapUsed) {
      return;
    }
    int wanted = Math.min(MAX_HEAP_BYTES, Math.max(MIN_HEAP_BYTES, heapBytes * 2));
    MemoryBuffer next = allocator().allocate(Math.max(wanted, length));
    sealHeap();
    heap = next;
    heapBytes = wanted;
  }

  private void sealHeap() {
    if (heap != null) {
      full.add(new SharedBuffer(heap.withLength(heapUsed)));
      heap = null;
      heapUsed = 0;
    }
  }

  /** Points the view to the free part of the heap, which is large enough, and uses that part. */
  private long takeHeapBytes(long view, int length) {
    Memory.putInt(view + HEAP_INDEX_OFFSET, full.size());
    Memory.putInt(view + HEAP_OFFSET_OFFSET, heapUsed);
    long target = heap.address() + heapUsed;
    heapUsed += length;
    return target;
  }

  @Override
  void ensureRows(int rows) {
    views.ensure((long) rows * VIEW_BYTES);
  }

  @Override
  void prepareNull(int rows) {
    nextView(0);
  }

  @Override
  void appendObject(Object value) {
    append((byte[]) value);
  }

  @Override
  MemoryBuffer takeData(int rows) {
    return views.take(physicalType().dataLengthInBytes(rows));
  }

  @Override
  List<SharedBuffer> takeHeaps() {
    sealHeap();
    List<SharedBuffer> heaps = List.copyOf(full);
    full.clear();
    heapBytes = 0;
    return heaps;
  }

  @Override
  public void close() {
    super.close();
    views.close();
    takeHeaps().forEach(SharedBuffer::release);
  }
}
