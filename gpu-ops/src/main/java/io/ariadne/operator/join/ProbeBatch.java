package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.operator.OperatorContext;

/** A batch of the probe side while its pairs are put out. */
final class ProbeBatch implements AutoCloseable {
  private RecordBatch batch;
  private final SpilledProbeBatch source; // null when the batch is owned
  private final OperatorContext context;
  private final ColumnVector[] copies;
  private MemoryBuffer groups;
  private MemoryBuffer offsets;
  private MemoryBuffer bits;

  /** Pairs of all rows, and those put out so far. */
  private long pairCount;

  private long nextPair;

  /** Whether nothing comes after the pairs, or that was put out. */
  private boolean isOver;

  /** Takes a batch over. */
  ProbeBatch(RecordBatch batch, OperatorContext context) {
    this(batch, null, null, context);
  }

  /**
   * Begins with a batch.
   *
   * @param batch owned by this from now on, unless it has a source
   * @param source what the batch goes back to in the end; null for nothing
   * @param bits of rows that have pairs already, owned by this; null for none
   */
  ProbeBatch(
      RecordBatch batch, SpilledProbeBatch source, MemoryBuffer bits, OperatorContext context) {
    this.batch = batch;
    this.source = source;
    this.context = context;
    this.copies = new ColumnVector[batch.columnCount()];
    this.bits = bits;
  }

  RecordBatch batch() {
    return batch;
  }

  int rowCount() {
    return batch.rowCount();
  }

  /** Returns room for the groups of the rows. */
  MemoryBuffer groups() {
    if (groups == null) {
      groups = context.kernelAllocator().allocate((long) rowCount() * Integer.BYTES);
    }
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

  /** Frees all but the batch, which had no source and is the caller's. */
  RecordBatch takeBatch() {
    RecordBatch taken = batch;
    batch = null;
    close();
    return taken;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    for (ColumnVector copy : copies) {
      closer.close(copy);
    }
    closer.close(offsets);
    closer.close(groups);
    if (source != null) {
      closer.close(() -> source.putBack(bits));
    } else {
      closer.close(bits);
      closer.close(batch);
    }
    closer.rethrow();
  }
}
