package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.kernel.sort.SortDirection;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkOperatorFactory;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.sort.SortColumn;
import io.ariadne.operator.sort.SortOperatorFactory;
import io.ariadne.spill.SpillPlacement;
import java.util.ArrayList;
import java.util.List;

/**
 * Joins probe batches, one after the other, with build rows that are too many for one hash table,
 * and keeps the order of the probe rows. Each batch passes over all build rows, a table at a time.
 * The pairs of all tables are then sorted by probe row, and those of a row by build row. Joins
 * without pairs yield their rows in the last pass, in order.
 *
 * <p>This builds every table again for every batch. It exists for a build side that fits memory by
 * estimate but was refused it. A call that was refused memory may be repeated. Used by one thread
 * at a time.
 */
final class OrderedMultiPassJoin implements AutoCloseable {
  private static final SpillPlacement PLACEMENT = SpillPlacement.at(1, true);

  /** The columns that follow those of a pair: its place among all pairs of its batch. */
  private static final int PLACE_COLUMNS = 2;

  private final HashJoin join;
  private final Schema output;
  private final BuildRows build;
  private final OperatorContext context;
  private final SinkOperatorFactory sorting; // null when the passes keep the order

  /** The sequence number of the current batch. */
  private long sequence;

  private MultiPassHashJoin passes; // null unless passes are left of the current batch
  private SinkOperator sort; // of the pairs of the current batch; null for none
  private SinkState pairs; // null once all pairs are sorted
  private RecordBatch pending; // pairs that are not in the sort yet; null for none
  private boolean isPendingNumbered;
  private long pairCount;

  /**
   * Prepares.
   *
   * @param build at least one row; stays its owner's, open as long as this
   */
  OrderedMultiPassJoin(HashJoin join, BuildRows build, OperatorContext context) {
    this.join = join.ofPasses();
    this.output = join.spec().output();
    this.build = build;
    this.context = context;
    this.sorting = join.spec().kind().yieldsPairs() ? sorting(this.join.spec().output()) : null;
  }

  /** Sorts by probe row, then in the order of the passes. */
  private static SinkOperatorFactory sorting(Schema numberedPairs) {
    List<Field> fields = new ArrayList<>(numberedPairs.fields());
    int row = fields.size() - 1;
    fields.add(new Field("pair", PrimitiveType.INT64, false));
    return new SortOperatorFactory(
        new Schema(fields),
        List.of(
            new SortColumn(row, SortDirection.ASCENDING),
            new SortColumn(row + 1, SortDirection.ASCENDING)));
  }

  /** Returns whether a batch is being joined: no other may be added. */
  boolean isBusy() {
    return passes != null || sort != null;
  }

  /**
   * Starts to join a batch.
   *
   * @param batch at least one row, in host memory; ownership passes to this object, unless this
   *     throws
   */
  void add(RecordBatch batch) {
    RecordBatch rows = batch;
    if (sorting != null) {
      try {
        sort = sorting.create(context);
        pairs = sort.newLocal();
        rows = numbered(batch);
      } catch (RuntimeException | Error e) {
        Closer closer = new Closer();
        closer.close(this::closeSort);
        closer.suppressIn(e);
        throw e;
      }
    }
    sequence = rows.sequence();
    pairCount = 0;
    passes = new MultiPassHashJoin(join, build, context.spill().add(rows, PLACEMENT), context);
  }

  /** Adds a column with the number of each row; takes the columns, unless this throws. */
  private RecordBatch numbered(RecordBatch batch) {
    int rowCount = batch.rowCount();
    MemoryBuffer numbers = context.allocator().allocate((long) rowCount * Integer.BYTES);
    for (int row = 0; row < rowCount; row++) {
      numbers.putInt((long) row * Integer.BYTES, row);
    }
    return with(
        batch,
        join.spec().probe(),
        ColumnVector.flat(PrimitiveType.INT32, PhysicalType.I32, rowCount, numbers, null));
  }

  private static RecordBatch with(RecordBatch batch, Schema schema, ColumnVector last) {
    return RecordBatch.of(
        schema,
        batch.rowCount(),
        batch.sequence(),
        i -> i < batch.columnCount() ? batch.takeColumn(i) : last);
  }

  /**
   * Returns the next output of the batch, owned by the caller, perhaps without rows; null when the
   * batch is joined.
   */
  RecordBatch next() {
    if (passes != null) {
      return nextOfPasses();
    }
    if (pairs != null) {
      sortPairs();
      return emptyBatch();
    }
    RecordBatch batch = sort == null || sort.isFinished() ? null : sort.getOutput();
    if (batch == null && (sort == null || sort.isFinished())) {
      closeSort();
      return null;
    }
    return batch == null ? emptyBatch() : withoutPlaces(batch);
  }

  private RecordBatch emptyBatch() {
    return NullColumns.emptyBatch(output, context.allocator());
  }

  /** Does the next step of the passes; returns its rows unless these are pairs to be sorted. */
  private RecordBatch nextOfPasses() {
    if (pending != null) {
      addPending();
    } else if (passes.isOver()) {
      MultiPassHashJoin over = passes;
      passes = null;
      over.close();
    } else {
      pending = passes.next();
      if (pending != null && sorting == null) {
        RecordBatch rows = pending;
        pending = null;
        return withSequence(rows, output);
      }
    }
    return emptyBatch();
  }

  private RecordBatch withSequence(RecordBatch batch, Schema schema) {
    return RecordBatch.of(schema, batch.rowCount(), sequence, batch::takeColumn);
  }

  private void addPending() {
    if (!isPendingNumbered) {
      pending = context.transfer().moveToHost(pending);
      pending = numberedPairs(pending);
      isPendingNumbered = true;
    }
    RecordBatch added = pending;
    pending = null;
    try {
      pairs.addInput(added);
    } catch (EngineException e) {
      pending = pairs.takeUnprocessed();
      throw e;
    }
    isPendingNumbered = false;
  }

  /** Adds a column with the number of each pair; takes the columns, unless this throws. */
  private RecordBatch numberedPairs(RecordBatch batch) {
    int rowCount = batch.rowCount();
    MemoryBuffer numbers = context.allocator().allocate((long) rowCount * Long.BYTES);
    for (int row = 0; row < rowCount; row++) {
      numbers.putLong((long) row * Long.BYTES, pairCount++);
    }
    return with(
        batch,
        sort.outputSchema(),
        ColumnVector.flat(PrimitiveType.INT64, PhysicalType.I64, rowCount, numbers, null));
  }

  private void sortPairs() {
    if (pairs.finish()) {
      SinkState sorted = pairs;
      pairs = null;
      sort.combine(sorted);
      sort.finish();
    }
  }

  private RecordBatch withoutPlaces(RecordBatch batch) {
    try (batch) {
      if (batch.columnCount() != output.columnCount() + PLACE_COLUMNS) {
        throw new IllegalStateException("pairs of " + batch.columnCount() + " columns");
      }
      return withSequence(batch, output);
    }
  }

  private void closeSort() {
    Closer closer = new Closer();
    closer.close(pairs);
    closer.close(sort);
    pairs = null;
    sort = null;
    closer.rethrow();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(passes);
    closer.close(pending);
    closer.close(this::closeSort);
    closer.rethrow();
  }
}
