package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.join.JoinRowsKernel;
import io.ariadne.operator.OperatorContext;

/** A batch of the probe side while it is joined. */
final class ProbeBatch implements AutoCloseable {
  private RecordBatch batch;
  private final SpilledProbeBatch source; // null when the batch is owned
  private final OperatorContext context;
  private final ColumnVector[] copies;
  private MemoryBuffer groups;
  private MemoryBuffer offsets;
  private MemoryBuffer bits;

  /** Pairs of all rows, and the pairs yielded so far. */
  private long pairCount;

  private long nextPair;

  /** Whether the bits say which rows are wanted, not which rows have a pair. */
  private boolean isInverted;

  /** Whether the batch yields nothing more after its pairs. */
  private boolean isOver;

  /** Takes ownership of a batch. */
  ProbeBatch(RecordBatch batch, OperatorContext context) {
    this(batch, null, null, context);
  }

  /**
   * Prepares a batch to be joined.
   *
   * @param batch ownership passes to this object, unless it has a source
   * @param source takes the batch back when this is closed; null when this owns the batch
   * @param bits of the rows that have pairs already, owned by this; null for none
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

  /** Returns the buffer for the rows' group numbers. */
  MemoryBuffer groups() {
    if (groups == null) {
      groups = context.kernelAllocator().allocate((long) rowCount() * Integer.BYTES);
    }
    return groups;
  }

  /** Returns the buffer for the number of pairs before each row. */
  MemoryBuffer offsets() {
    if (offsets == null) {
      offsets = context.kernelAllocator().allocate((rowCount() + 1L) * Long.BYTES);
    }
    return offsets;
  }

  /** Returns a bit per row, initially zero. */
  MemoryBuffer bits() {
    if (bits == null) {
      bits = context.kernelAllocator().allocate(PhysicalType.BOOL.dataLengthInBytes(rowCount()));
      context.backend().clear(bits, 0, bits.capacityInBytes());
    }
    return bits;
  }

  /** Inverts the bits, once: further calls do nothing. */
  void invert(JoinRowsKernel kernel) {
    if (!isInverted) {
      kernel.invert(bits(), rowCount());
      isInverted = true;
    }
  }

  /** Returns whether {@link #invert} has inverted the bits. */
  boolean isInverted() {
    return isInverted;
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

  /** Returns whether the batch yields nothing more. */
  boolean isOver() {
    return isOver;
  }

  /** Says that the batch yields nothing more. */
  void end() {
    isOver = true;
  }

  long nextPair() {
    return nextPair;
  }

  /** Returns how many pairs the next step examines: those that are left, at most {@code most}. */
  int nextCount(int most) {
    return (int) Math.min(most, pairCount - nextPair);
  }

  /** Says that the next pairs were examined and their output exists. */
  void advance(int count) {
    nextPair += count;
  }

  /** Returns a column in memory that kernels see, a nested one on the host; still owned by this. */
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

  /** Hands the batch, which has no source, to the caller and frees all else. */
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
