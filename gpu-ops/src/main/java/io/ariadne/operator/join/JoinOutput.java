package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.operator.OperatorContext;
import java.util.Arrays;
import java.util.List;
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
   * @param probe its columns move to the result, unless this throws
   */
  RecordBatch ofWholeBatch(ProbeBatch probe, Pairs pairs, boolean mayMiss) {
    return moving(
        probe,
        column -> gather.gather(table.column(column), pairs.buildRows(), pairs.count(), mayMiss));
  }

  /**
   * Makes a batch of probe rows, with nulls for the build side.
   *
   * @param probe its columns move to the result when these are all its rows, unless this throws
   * @param rows their numbers
   * @param count how many
   */
  RecordBatch ofProbeRows(ProbeBatch probe, MemoryBuffer rows, int count) {
    IntFunction<ColumnVector> nulls =
        column -> NullColumns.of(spec.build().field(column).type(), count, context.allocator());
    return count == probe.rowCount()
        ? moving(probe, nulls)
        : batch(
            count,
            probe.batch().sequence(),
            column -> gather.gather(probe.column(column), rows, count, false),
            nulls);
  }

  /**
   * Makes a batch of all probe rows with a column of bits; takes the columns and the bits, unless
   * this throws.
   */
  RecordBatch ofBits(ProbeBatch probe) {
    int count = probe.rowCount();
    return moving(
        probe,
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

  /** Makes a batch of all probe rows, whose columns move once all other columns are made. */
  private RecordBatch moving(ProbeBatch probe, IntFunction<ColumnVector> buildColumn) {
    List<Integer> numbers = spec.outputColumns();
    ColumnVector[] made = new ColumnVector[numbers.size()];
    try {
      for (int i = 0; i < made.length; i++) {
        if (!spec.isOfProbe(numbers.get(i))) {
          made[i] = buildColumn.apply(spec.buildColumn(numbers.get(i)));
        }
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      Arrays.stream(made).forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
    return RecordBatch.of(
        spec.output(),
        probe.rowCount(),
        probe.batch().sequence(),
        i -> made[i] == null ? probe.batch().takeColumn(numbers.get(i)) : made[i]);
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
