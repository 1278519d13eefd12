package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.operator.OperatorContext;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Makes the output batches of a join. Used by one thread at a time. */
final class JoinOutput {
  private final JoinSpec spec;
  private final JoinTable table;
  private final OperatorContext context;
  private final PairGather gather;

  JoinOutput(JoinSpec spec, JoinTable table, OperatorContext context, PairGather gather) {
    this.spec = spec;
    this.table = table;
    this.context = context;
    this.gather = gather;
  }

  /**
   * Makes a batch of pairs.
   *
   * @param probe its rows stay its own
   * @param pairs the pairs; stay the caller's
   * @param mayMiss whether a pair may lack its build row, which is null then
   */
  RecordBatch ofPairs(ProbeBatch probe, Pairs pairs, boolean mayMiss) {
    return batch(
        pairs.count(),
        probe.batch().sequence(),
        column -> gather.gather(probe.column(column), pairs.probeRows(), pairs.count(), false),
        column -> gather.gather(table.column(column), pairs.buildRows(), pairs.count(), mayMiss));
  }

  /**
   * Makes a batch of pairs when each probe row has exactly one pair, in order.
   *
   * @param probe its columns move to the result
   */
  RecordBatch ofWholeBatch(ProbeBatch probe, Pairs pairs, boolean mayMiss) {
    return batch(
        pairs.count(),
        probe.batch().sequence(),
        probe.batch()::takeColumn,
        column -> gather.gather(table.column(column), pairs.buildRows(), pairs.count(), mayMiss));
  }

  /**
   * Makes a batch of probe rows, with nulls for the build side.
   *
   * @param rows their numbers
   * @param count how many
   */
  RecordBatch ofProbeRows(ProbeBatch probe, MemoryBuffer rows, int count) {
    boolean isWhole = count == probe.rowCount();
    return batch(
        count,
        probe.batch().sequence(),
        column ->
            isWhole
                ? probe.batch().takeColumn(column)
                : gather.gather(probe.column(column), rows, count, false),
        column -> NullColumns.of(spec.build().field(column).type(), count, context.allocator()));
  }

  /** Makes a batch of all probe rows with a column of bits; takes the columns and the bits. */
  RecordBatch ofBits(ProbeBatch probe) {
    int count = probe.rowCount();
    return batch(
        count,
        probe.batch().sequence(),
        probe.batch()::takeColumn,
        column ->
            ColumnVector.flat(
                PrimitiveType.BOOLEAN, PhysicalType.BOOL, count, probe.takeBits(), null));
  }

  /**
   * Makes a batch of build rows, with nulls for the probe side.
   *
   * @param rows their numbers
   * @param count how many
   * @param exists makes the bits that say whether the rows have a pair, in host memory; called only
   *     when the output has that column
   */
  RecordBatch ofBuildRows(MemoryBuffer rows, int count, Supplier<MemoryBuffer> exists) {
    return batch(
        count,
        0,
        column -> NullColumns.of(spec.probe().field(column).type(), count, context.allocator()),
        column ->
            column < spec.build().columnCount()
                ? gather.gather(table.column(column), rows, count, false)
                : ColumnVector.flat(
                    PrimitiveType.BOOLEAN, PhysicalType.BOOL, count, exists.get(), null));
  }

  private RecordBatch batch(
      int count,
      long sequence,
      IntFunction<ColumnVector> probeColumn,
      IntFunction<ColumnVector> buildColumn) {
    return RecordBatch.of(
        spec.output(),
        count,
        sequence,
        i -> {
          int column = spec.outputColumns().get(i);
          return spec.isOfProbe(column)
              ? probeColumn.apply(column)
              : buildColumn.apply(spec.buildColumn(column));
        });
  }
}
