package io.ariadne.operator.exchange;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.DictionaryDecoder;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.sort.KeyRanges;
import io.ariadne.kernel.sort.SortKey;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.sort.SortColumn;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds the number of the range that a row's key is in: how many bounds are less than the key. A row
 * equal to a bound belongs to the range before it, as in Spark's {@code RangePartitioner}.
 *
 * <p>An input batch yields one output batch, in host memory, with the same sequence number: the
 * first columns unchanged, then the number as one more column.
 */
public final class RangeOperator extends HostBatchOperator {
  private final RangeSpec spec;
  private final KeyRanges ranges;

  RangeOperator(RangeSpec spec, Schema schema, OperatorContext context) {
    super(schema, context);
    this.spec = spec;
    try (RecordBatch bounds = spec.boundsBatch(context.allocator());
        Keys keys = new Keys(bounds, spec.boundColumns())) {
      this.ranges =
          new KeyRanges(
              context.backend(), context.kernelAllocator(), context.allocator(), keys.rows());
    }
  }

  /** The key columns of a batch, decoded, in host memory and in kernel memory. */
  private final class Keys implements AutoCloseable {
    private final List<ColumnVector> onHost = new ArrayList<>();
    private final List<SortKey> keys = new ArrayList<>();
    private final List<ColumnVector> copies = new ArrayList<>();
    private final int rowCount;

    /**
     * Decodes and copies the columns that need it.
     *
     * @param batch in host memory; stays the caller's and open
     * @param columns the keys
     */
    Keys(RecordBatch batch, List<SortColumn> columns) {
      this.rowCount = batch.rowCount();
      try {
        for (SortColumn column : columns) {
          add(batch.column(column.column()), column);
        }
      } catch (RuntimeException | Error e) {
        Closer closer = new Closer();
        copies.forEach(closer::close);
        closer.suppressIn(e);
        throw e;
      }
    }

    private void add(ColumnVector column, SortColumn key) {
      ColumnVector plain = column;
      if (column.dictionary() != null) {
        plain = new DictionaryDecoder(context().allocator()).decode(column);
        copies.add(plain);
      }
      ColumnVector forKernels = plain;
      if (!context().transfer().isForKernels(plain)) {
        forKernels = context().transfer().copyToKernels(plain);
        copies.add(forKernels);
      }
      onHost.add(plain);
      keys.add(new SortKey(forKernels, key.direction()));
    }

    KeyRanges.Rows rows() {
      return new KeyRanges.Rows(keys, onHost, rowCount);
    }

    @Override
    public void close() {
      Closer closer = new Closer();
      copies.forEach(closer::close);
      closer.rethrow();
    }
  }

  @Override
  RecordBatch outputOf(RecordBatch batch) {
    return withNumbers(batch, numbers(batch));
  }

  /** Returns the range of each row, in host memory. */
  private MemoryBuffer numbers(RecordBatch batch) {
    MemoryBuffer numbers = context().allocator().allocate((long) batch.rowCount() * Integer.BYTES);
    try (Keys keys = new Keys(batch, spec.columns())) {
      ranges.find(keys.rows(), numbers);
      return numbers;
    } catch (RuntimeException | Error e) {
      numbers.close();
      throw e;
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(super::close);
    closer.close(ranges);
    closer.rethrow();
  }
}
