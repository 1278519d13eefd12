package io.ariadne.columnar.concat;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RetainedRows;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.List;

/**
 * Concatenates row ranges of batches with the same schema. Retains the ranges until {@link #concat}
 * copies their rows, once, to a new batch. Owns the ranges. Used by one thread.
 *
 * <p>Follows {@link ConcatenationPolicy#COMPACT}: a batch holds no more characters and entries of
 * dictionaries than its rows need, so that it may stay in memory for long.
 */
public final class RowConcatenator implements AutoCloseable {
  private final Schema schema;
  private final BufferAllocator allocator;
  private final List<RetainedRows> ranges = new ArrayList<>();
  private long rowCount;
  private long sizeInBytes;

  /**
   * Creates a concatenator without rows.
   *
   * @param schema of all ranges
   * @param allocator host memory for the batches
   */
  public RowConcatenator(Schema schema, BufferAllocator allocator) {
    this.schema = schema;
    this.allocator = allocator;
  }

  /** Returns the number of rows added since the last {@link #concat}. */
  public long rowCount() {
    return rowCount;
  }

  /** Returns the approximate bytes of these rows. */
  public long sizeInBytes() {
    return sizeInBytes;
  }

  /** Returns whether there are no ranges. */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /**
   * Returns whether rows of a batch can be concatenated with the ranges: there are none, or the
   * batch has their layouts and there are at most 2^31 - 1 rows together.
   */
  public boolean canAdd(RecordBatch batch) {
    return isEmpty()
        || (haveSameLayouts(ranges.get(0).batch(), batch)
            && rowCount + batch.rowCount() <= Integer.MAX_VALUE);
  }

  /** Returns whether the values of two batches have the same layouts, codes looked up. */
  public static boolean haveSameLayouts(RecordBatch some, RecordBatch other) {
    for (int i = 0; i < some.columnCount(); i++) {
      if (!haveSameLayout(some.column(i), other.column(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean haveSameLayout(ColumnVector some, ColumnVector other) {
    boolean isSame = some.valueLayout() == other.valueLayout();
    for (int i = 0; isSame && i < some.children().size(); i++) {
      isSame = haveSameLayout(some.children().get(i), other.children().get(i));
    }
    return isSame;
  }

  /**
   * Adds rows of a batch for which {@link #canAdd} is true.
   *
   * @param rows ownership passes to this object
   */
  public void add(RetainedRows rows) {
    ranges.add(rows);
    rowCount += rows.count();
    sizeInBytes += rows.sizeInBytes();
  }

  /**
   * Copies the ranges, at least one, to a batch, and closes them. When copying throws, the ranges
   * stay.
   *
   * @param sequence position of the batch in its stream
   * @return a batch owned by the caller
   */
  public RecordBatch concat(long sequence) {
    RecordBatch batch =
        RecordBatch.of(schema, Math.toIntExact(rowCount), sequence, this::concatColumn);
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

  private ColumnVector concatColumn(int index) {
    List<ColumnSlice> slices = new ArrayList<>(ranges.size());
    for (RetainedRows rows : ranges) {
      if (rows.count() > 0) {
        slices.add(new ColumnSlice(rows.batch().column(index), rows.first(), rows.count()));
      }
    }
    if (slices.isEmpty()) {
      slices.add(new ColumnSlice(ranges.get(0).batch().column(index), 0, 0));
    }
    return new ColumnConcatenator(allocator, ConcatenationPolicy.COMPACT, DictionaryLookup.JAVA)
        .concat(slices.get(0).column().type(), slices);
  }

  /** Closes the ranges. Idempotent. */
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
