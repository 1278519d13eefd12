package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.operator.OperatorContext;

/** A batch of the probe side while its pairs are put out. */
final class ProbeBatch implements AutoCloseable {
  private final RecordBatch batch;
  private final OperatorContext context;
  private final ColumnVector[] copies;
  private final MemoryBuffer groups;
  private MemoryBuffer offsets;
  private MemoryBuffer bits;

  /** Pairs of all rows, and those put out so far. */
  private long pairCount;

  private long nextPair;

  /** Whether nothing comes after the pairs, or that was put out. */
  private boolean isOver;

  /** Takes a batch over, unless this throws. */
  ProbeBatch(RecordBatch batch, OperatorContext context) {
    this.batch = batch;
    this.context = context;
    this.copies = new ColumnVector[batch.columnCount()];
    this.groups = context.kernelAllocator().allocate((long) batch.rowCount() * Integer.BYTES);
  }

  RecordBatch batch() {
    return batch;
  }

  int rowCount() {
    return batch.rowCount();
  }

  /** Returns the groups of the rows. */
  MemoryBuffer groups() {
    return groups;
  }

  /** Returns room for how many pairs there are before each row. */
  MemoryBuffer offsets() {
    if (offsets == null) {
      offsets = context.kernelAllocator().allocate((rowCount() + 1L) * Long.BYTES);
    }
    return offsets;
  }

  /** Returns a bit per row, zero at first. */
  MemoryBuffer bits() {
    if (bits == null) {
      bits = context.kernelAllocator().allocate(PhysicalType.BOOL.dataLengthInBytes(rowCount()));
      context.backend().clear(bits, 0, bits.capacityInBytes());
    }
    return bits;
  }

  /** Hands the bits to the caller. */
  MemoryBuffer takeBits() {
    MemoryBuffer taken = bits();
    bits = null;
    return taken;
  }

  void setPairCount(long count) {
    pairCount = count;
    nextPair = 0;
  }

  long pairCount() {
    return pairCount;
  }

  /** Returns whether nothing more comes of the batch. */
  boolean isOver() {
    return isOver;
  }

  /** Notes that nothing more comes of the batch. */
  void end() {
    isOver = true;
  }

  long nextPair() {
    return nextPair;
  }

  /** Returns how many pairs come next, at most so many, and takes them for put out. */
  int advance(int most) {
    int count = (int) Math.min(most, pairCount - nextPair);
    nextPair += count;
    return count;
  }

  /** Returns a column where kernels see it, a nested one on the host; stays owned here. */
  ColumnVector column(int index) {
    ColumnVector column = batch.column(index);
    boolean isThere =
        PairGather.isNested(column)
            ? context.transfer().isOnHost(column)
            : context.transfer().isForKernels(column);
    if (isThere) {
      return column;
    }
    if (copies[index] == null) {
      copies[index] =
          PairGather.isNested(column)
              ? context.transfer().copyToHost(column)
              : context.transfer().copyToKernels(column);
    }
    return copies[index];
  }

  /** Frees all but the batch, which is the caller's again. */
  void giveUp() {
    Closer closer = new Closer();
    closeAllButBatch(closer);
    closer.rethrow();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closeAllButBatch(closer);
    closer.close(batch);
    closer.rethrow();
  }

  private void closeAllButBatch(Closer closer) {
    for (ColumnVector copy : copies) {
      closer.close(copy);
    }
    closer.close(bits);
    closer.close(offsets);
    closer.close(groups);
  }
}
