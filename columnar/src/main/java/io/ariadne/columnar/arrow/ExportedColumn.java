package io.ariadne.columnar.arrow;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ForeignAllocation;

/** A column whose buffers Arrow vectors point into; closed with the last of them. Thread-safe. */
final class ExportedColumn {
  private final ColumnVector column;
  private final AtomicInteger holders = new AtomicInteger(1);

  /** Takes ownership of the column and keeps it until {@link #release}. */
  ExportedColumn(ColumnVector column) {
    this.column = column;
  }

  ColumnVector column() {
    return column;
  }

  void release() {
    if (holders.decrementAndGet() == 0) {
      column.close();
    }
  }

  /** Returns an Arrow buffer over a buffer of the column, which keeps the column open. */
  ArrowBuf share(MemoryBuffer buffer, BufferAllocator allocator) {
    holders.incrementAndGet();
    ArrowBuf shared;
    try {
      shared = allocator.wrapForeignAllocation(new Foreign(buffer));
    } catch (RuntimeException e) {
      release();
      throw e;
    }
    shared.writerIndex(buffer.lengthInBytes());
    return shared;
  }

  private final class Foreign extends ForeignAllocation {
    Foreign(MemoryBuffer buffer) {
      super(buffer.capacityInBytes(), buffer.address());
    }

    @Override
    protected void release0() {
      release();
    }
  }
}
