package io.ariadne.operator.aggregate.bridged;

import io.ariadne.columnar.AggregationFunction;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An aggregate whose value depends on the order of the rows and on the order in which its parts are
 * merged: it starts at 1; each row multiplies it by 31 and adds the value, or 7 for null. It claims
 * 100 bytes of the JVM's heap per group and 10 per row.
 */
final class Chain implements AggregationFunction {
  static final Field OUTPUT = new Field("chain", PrimitiveType.INT64, true);

  private static final long serialVersionUID = 1L;
  private static final Schema BUFFERS =
      Schema.of(
          new Field("value", PrimitiveType.INT64, true),
          new Field("power", PrimitiveType.INT64, true));

  /** How many groups moved to runs; a group counts each time. */
  final transient AtomicLong takenGroups = new AtomicLong();

  final transient AtomicBoolean cancelled = new AtomicBoolean();
  final int keyCount;
  private Step failing;
  private int callsBefore;
  private long memoryPerGroup;

  /** Where a function's code may fail. */
  enum Step {
    UPDATE,
    PUT_AWAY,
    MERGE,
    READ
  }

  /**
   * Creates the aggregate.
   *
   * @param keyCount how many of three columns are keys; the value is in the last one
   */
  Chain(int keyCount) {
    this.keyCount = keyCount;
  }

  /** Makes it fail with a checked exception after some calls. */
  void failAt(Step step, int calls) {
    failing = step;
    callsBefore = calls;
  }

  /** Makes each group say that it takes so many bytes of the allocator's memory. */
  void claimMemory(long bytesPerGroup) {
    memoryPerGroup = bytesPerGroup;
  }

  private void enter(Step step) {
    if (step == failing && callsBefore-- == 0) {
      Chain.<RuntimeException>sneak(new IOException("at " + step));
    }
  }

  @SuppressWarnings("unchecked")
  private static <E extends Exception> void sneak(Exception e) throws E {
    throw (E) e;
  }

  @Override
  public Schema outputSchema() {
    return Schema.of(OUTPUT);
  }

  @Override
  public Schema bufferSchema() {
    return BUFFERS;
  }

  @Override
  public String description() {
    return "chain";
  }

  @Override
  public Groups newGroups(BufferAllocator allocator) {
    return new ChainGroups(allocator);
  }

  private final class ChainGroups implements Groups {
    private final BufferAllocator allocator;
    private final List<long[]> groups = new ArrayList<>();
    private long heapBytes;

    ChainGroups(BufferAllocator allocator) {
      this.allocator = allocator;
    }

    private void ensure(int groupCount) {
      while (groups.size() < groupCount) {
        groups.add(new long[] {0, 1});
        heapBytes += 100;
      }
    }

    @Override
    public void update(RecordBatch rows, MemoryBuffer ids, int groupCount) {
      enter(Step.UPDATE);
      ensure(groupCount);
      ColumnReader reader = new ColumnReader(rows.column(2 - keyCount));
      for (int row = 0; row < rows.rowCount(); row++) {
        long[] group = groups.get(ids == null ? 0 : ids.getInt((long) row * Integer.BYTES));
        group[0] = group[0] * 31 + (reader.isNull(row) ? 7 : reader.getLong(row));
        group[1] *= 31;
        heapBytes += 10;
      }
    }

    @Override
    public List<ColumnVector> read(int first, int count) {
      enter(Step.READ);
      ensure(first + count);
      try (BatchBuilder builder = new BatchBuilder(Schema.of(OUTPUT), allocator)) {
        for (long[] group : groups.subList(first, first + count)) {
          builder.appendRow(group[1] == 1 ? null : (Object) (group[0] + group[1]));
        }
        return columnsOf(builder);
      }
    }

    private static List<ColumnVector> columnsOf(BatchBuilder builder) {
      List<ColumnVector> columns = new ArrayList<>();
      try (RecordBatch batch = builder.build(0)) {
        for (int i = 0; i < batch.columnCount(); i++) {
          columns.add(batch.takeColumn(i));
        }
      }
      return columns;
    }

    @Override
    public long heapBytes(long bound) {
      return heapBytes;
    }

    @Override
    public long memoryBytes() {
      return memoryPerGroup * groups.size();
    }

    @Override
    public List<ColumnVector> takeBuffers(int[] order) {
      enter(Step.PUT_AWAY);
      takenGroups.addAndGet(order.length);
      try (BatchBuilder builder = new BatchBuilder(BUFFERS, allocator)) {
        for (int group : order) {
          builder.appendRow(groups.get(group)[0], groups.get(group)[1]);
        }
        return columnsOf(builder);
      }
    }

    @Override
    public void merge(
        RecordBatch buffers, int firstRow, MemoryBuffer ids, int rowCount, int groupCount) {
      enter(Step.MERGE);
      ensure(groupCount);
      ColumnReader values = new ColumnReader(buffers.column(0));
      ColumnReader powers = new ColumnReader(buffers.column(1));
      for (int row = 0; row < rowCount; row++) {
        long[] group = groups.get(ids.getInt((long) row * Integer.BYTES));
        long power = powers.getLong(firstRow + row);
        group[0] = group[0] * power + values.getLong(firstRow + row);
        group[1] *= power;
        heapBytes += 10;
      }
    }

    @Override
    public void reset() {
      groups.clear();
      heapBytes = 0;
    }

    @Override
    public void close() {
      groups.clear();
    }
  }
}
