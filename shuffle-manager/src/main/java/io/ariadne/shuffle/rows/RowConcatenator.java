package io.ariadne.shuffle.rows;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RetainedRows;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts ranges of rows of one schema together into batches: they are gathered while their columns
 * are laid out alike, and copied once, to where they stay. Owns the holds it was given. Used by one
 * thread.
 *
 * <p>Strings stay views into the heaps of the batches they come from when at least half of these is
 * used, else their characters are copied, too. Dictionary columns stay codes where that pays.
 */
public final class RowConcatenator implements AutoCloseable {
  private final Schema schema;
  private final BufferAllocator allocator;
  private final List<RetainedRows> ranges = new ArrayList<>();
  private long rowCount;
  private long sizeInBytes;

  /**
   * Creates an empty join.
   *
   * @param schema the columns of all ranges
   * @param allocator where batches come from, host memory
   */
  public RowConcatenator(Schema schema, BufferAllocator allocator) {
    this.schema = schema;
    this.allocator = allocator;
  }

  /** Returns the rows gathered. */
  public long rowCount() {
    return rowCount;
  }

  /** Returns bytes of the rows gathered, about. */
  public long sizeInBytes() {
    return sizeInBytes;
  }

  /** Returns whether nothing is gathered. */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** Returns whether a batch's columns are laid out as those gathered, if any are. */
  public boolean canAdd(RecordBatch batch) {
    return isEmpty()
        || (areAlike(ranges.get(0).batch(), batch)
            && rowCount + batch.rowCount() <= Integer.MAX_VALUE);
  }

  /** Returns whether the values of two batches are laid out alike, codes looked up. */
  public static boolean areAlike(RecordBatch some, RecordBatch other) {
    for (int i = 0; i < some.columnCount(); i++) {
      if (!areAlike(some.column(i), other.column(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean areAlike(ColumnVector some, ColumnVector other) {
    boolean areAlike = some.valueLayout() == other.valueLayout();
    for (int i = 0; areAlike && i < some.children().size(); i++) {
      areAlike = areAlike(some.children().get(i), other.children().get(i));
    }
    return areAlike;
  }

  /**
   * Gathers rows for whose batch {@link #canAdd} holds.
   *
   * @param rows closed by this from now on
   */
  public void add(RetainedRows rows) {
    ranges.add(rows);
    rowCount += rows.count();
    sizeInBytes += rows.sizeInBytes();
  }

  /**
   * Makes a batch of the rows gathered, at least one range, and forgets them. When this throws they
   * are still here.
   *
   * @param sequence the batch's place in its stream
   * @return a batch owned by the caller
   */
  public RecordBatch join(long sequence) {
    RecordBatch batch =
        RecordBatch.of(schema, Math.toIntExact(rowCount), sequence, this::joinColumn);
    try {
      close();
      return batch;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(batch);
      closer.suppressIn(e);
      throw e;
    }
  }

  private ColumnVector joinColumn(int index) {
    List<ColumnSlice> slices = new ArrayList<>(ranges.size());
    for (RetainedRows rows : ranges) {
      if (rows.count() > 0) {
        slices.add(new ColumnSlice(rows.batch().column(index), rows.first(), rows.count()));
      }
    }
    if (slices.isEmpty()) {
      slices.add(new ColumnSlice(ranges.get(0).batch().column(index), 0, 0));
    }
    return new SliceConcatenator(allocator).join(slices);
  }

  /** Lets go of the rows gathered. Idempotent. */
  @Override
  public void close() {
    Closer closer = new Closer();
    ranges.forEach(closer::close);
    ranges.clear();
    rowCount = 0;
    sizeInBytes = 0;
    closer.rethrow();
  }
}
