package io.ariadne.columnar;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.ReferenceCount;
import io.ariadne.columnar.buffer.SharedBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Neighbouring rows of a batch in host memory that somebody else owns, and that stays as it is
 * until this is closed. Used by one thread; closed once, unless {@link #lend} hands the hold on.
 */
public final class RetainedRows implements AutoCloseable {
  private final RecordBatch batch;
  private final int first;
  private final int count;
  private final long sizeInBytes;
  private final Runnable release;
  private boolean isEnded;

  /**
   * Holds rows.
   *
   * @param batch stays its owner's
   * @param first the first row
   * @param count how many
   * @param sizeInBytes what these rows take in memory, about
   * @param release tells the owner that nobody reads here any more; called once, by any thread
   */
  public RetainedRows(RecordBatch batch, int first, int count, long sizeInBytes, Runnable release) {
    Objects.checkFromIndexSize(first, count, batch.rowCount());
    this.batch = batch;
    this.first = first;
    this.count = count;
    this.sizeInBytes = sizeInBytes;
    this.release = release;
  }

  /**
   * Holds all rows of a batch of one's own.
   *
   * @param batch closed with this
   */
  public static RetainedRows of(RecordBatch batch) {
    return new RetainedRows(batch, 0, batch.rowCount(), batch.sizeInBytes(), batch::close);
  }

  /** Returns the batch; not to be written to. */
  public RecordBatch batch() {
    return batch;
  }

  /** Returns the first row. */
  public int first() {
    return first;
  }

  /** Returns how many rows. */
  public int count() {
    return count;
  }

  /** Returns what the rows take in memory, about. */
  public long sizeInBytes() {
    return sizeInBytes;
  }

  /** Returns whether these are all rows of the batch. */
  public boolean areWhole() {
    return count == batch.rowCount();
  }

  /**
   * Returns the whole batch without a copy: it has the memory of the owner's, which is released
   * when the last buffer is closed. Ends this hold.
   *
   * @param sequence the batch's place in its stream
   * @return a batch owned by the caller, which may be passed on and closed by any thread, but not
   *     written to
   * @throws IllegalStateException when these are not all rows, or are not held any more
   */
  public RecordBatch lend(long sequence) {
    if (isEnded || !areWhole()) {
      throw new IllegalStateException(
          count + " of " + batch.rowCount() + " rows are no batch" + (isEnded ? " any more" : ""));
    }
    isEnded = true;
    Loan loan = new Loan(release);
    try {
      return RecordBatch.of(batch.schema(), count, sequence, i -> loan.column(batch.column(i)));
    } finally {
      loan.end();
    }
  }

  /** Lets go of the rows. */
  @Override
  public void close() {
    if (isEnded) {
      throw new IllegalStateException(count + " rows are not held any more");
    }
    isEnded = true;
    release.run();
  }

  /** Counts the buffers that are out, and whoever makes them. */
  private static final class Loan {
    private final ReferenceCount holders = new ReferenceCount();
    private final Runnable release;

    Loan(Runnable release) {
      this.release = release;
    }

    void end() {
      if (holders.remove()) {
        release.run();
      }
    }

    private MemoryBuffer buffer(MemoryBuffer lent) {
      if (lent == null) {
        return null;
      }
      holders.add();
      return new MemoryBuffer(
          lent.address(),
          lent.lengthInBytes(),
          lent.capacityInBytes(),
          lent.tier(),
          closed -> end());
    }

    ColumnVector column(ColumnVector lent) {
      MemoryBuffer data = buffer(lent.data());
      MemoryBuffer validity = buffer(lent.validity());
      List<SharedBuffer> heaps = new ArrayList<>();
      List<ColumnVector> children = new ArrayList<>();
      try {
        if (lent.dictionary() != null) {
          return ColumnVector.ofDictionary(
              lent.dictionary().retain(), lent.rowCount(), data, validity, lent.nullCount());
        }
        lent.heaps().forEach(heap -> heaps.add(heap.retain()));
        lent.children().forEach(child -> children.add(column(child)));
        return new ColumnVector(
            lent.type(),
            lent.physicalType(),
            lent.rowCount(),
            data,
            validity,
            lent.nullCount(),
            heaps,
            children);
      } catch (RuntimeException | Error e) {
        Closer closer = new Closer();
        closer.close(data);
        closer.close(validity);
        heaps.forEach(heap -> closer.close(heap::release));
        children.forEach(closer::close);
        closer.suppressIn(e);
        throw e;
      }
    }
  }
}
