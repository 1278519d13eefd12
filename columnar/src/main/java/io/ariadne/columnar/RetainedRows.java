package io.ariadne.columnar;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.ReferenceCount;
import io.ariadne.columnar.buffer.SharedBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Consecutive rows of a batch in host memory that another object owns. The batch stays unchanged
 * until this is closed. Used by one thread; closed once, unless {@link #lend} passes it on.
 */
public final class RetainedRows implements AutoCloseable {
  private final RecordBatch batch;
  private final int first;
  private final int count;
  private final long sizeInBytes;
  private final Runnable release;
  private boolean isEnded;

  /**
   * Retains rows.
   *
   * @param batch stays owned by its owner
   * @param first the first row
   * @param count the number of rows
   * @param sizeInBytes bytes that these rows take in memory, approximately
   * @param release tells the owner that the rows are no longer read; called once, by any thread
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
   * Retains all rows of a batch that the caller owns.
   *
   * @param batch ownership passes to this object, and closed with it
   */
  public static RetainedRows of(RecordBatch batch) {
    return new RetainedRows(batch, 0, batch.rowCount(), batch.sizeInBytes(), batch::close);
  }

  /** Returns the batch, which must not be written to. */
  public RecordBatch batch() {
    return batch;
  }

  /** Returns the first row. */
  public int first() {
    return first;
  }

  /** Returns the number of rows. */
  public int count() {
    return count;
  }

  /** Returns the bytes that the rows take in memory, approximately. */
  public long sizeInBytes() {
    return sizeInBytes;
  }

  /** Returns whether these are all rows of the batch. */
  public boolean areWhole() {
    return count == batch.rowCount();
  }

  /**
   * Returns the whole batch without a copy: its buffers are the owner's memory, which is released
   * when the last of them is closed. This object must not be used or closed afterwards.
   *
   * @param sequence the batch's place in its stream
   * @return a batch owned by the caller, which may be passed on and closed by any thread, but not
   *     written to
   * @throws IllegalStateException when these are not all rows, or were released
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

  /** Releases the rows. */
  @Override
  public void close() {
    if (isEnded) {
      throw new IllegalStateException(count + " rows are not held any more");
    }
    isEnded = true;
    release.run();
  }

  /** Counts the lent buffers that are open, and one more while they are created. */
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
