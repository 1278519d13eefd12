package io.ariadne.kernel.column;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.buffer.SharedBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Tables of the kernel addresses of string heaps; the field {@code heaps} of a {@code column_view}
 * points to one. Copies heaps to kernel memory when they are elsewhere. Used by one thread at a
 * time.
 */
public final class HeapTables implements AutoCloseable {
  private final Backend backend;
  private final BufferAllocator allocator;
  private final List<MemoryBuffer> buffers = new ArrayList<>();

  /**
   * Creates an empty collection.
   *
   * @param backend where kernels run
   * @param allocator memory of the back end's tier
   */
  public HeapTables(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
  }

  /**
   * Returns the address of a table of a column's heaps, valid until {@link #release}.
   *
   * @param column views; stays the caller's
   * @return 0 when the column has no heaps
   */
  public long addressOf(ColumnVector column) {
    List<SharedBuffer> heaps = column.heaps();
    if (heaps.isEmpty()) {
      return 0;
    }
    int size = heaps.size() * Long.BYTES;
    MemoryBuffer table = allocated(size);
    try (ArgumentBlock host = new ArgumentBlock(size)) {
      for (int i = 0; i < heaps.size(); i++) {
        host.putLong(i * Long.BYTES, forKernels(heaps.get(i)));
      }
      backend.write(host.address(), table, 0, size);
    }
    return table.address();
  }

  /** Returns the kernel address of a heap; copies the heap when only the host can read it. */
  private long forKernels(SharedBuffer heap) {
    if (backend.tier() == MemoryTier.HOST || heap.buffer().tier() == backend.tier()) {
      return heap.address();
    }
    MemoryBuffer copy = allocated(heap.lengthInBytes());
    backend.write(heap.address(), copy, 0, heap.lengthInBytes());
    return copy.address();
  }

  private MemoryBuffer allocated(long lengthInBytes) {
    MemoryBuffer buffer = allocator.allocate(lengthInBytes);
    buffers.add(buffer);
    return buffer;
  }

  /** Frees tables and copies, in the order of queued work. */
  public void release() {
    Closer closer = new Closer();
    buffers.forEach(closer::close);
    buffers.clear();
    closer.rethrow();
  }

  @Override
  public void close() {
    release();
  }
}
