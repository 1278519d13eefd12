package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.column.SelectRowsKernel;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.project.RowPredicate;

/** Keeps the pairs for which a join's condition is true. Used by one thread at a time. */
final class PairFilter implements AutoCloseable {
  private final JoinSpec spec;
  private final JoinTable table;
  private final OperatorContext context;
  private final PairGather gather;
  private final RowPredicate predicate;

  /**
   * Prepares.
   *
   * @param gather stays its owner's
   * @param predicate over the columns the condition reads; ownership passes to this object
   */
  PairFilter(
      JoinSpec spec,
      JoinTable table,
      OperatorContext context,
      PairGather gather,
      RowPredicate predicate) {
    this.spec = spec;
    this.table = table;
    this.context = context;
    this.gather = gather;
    this.predicate = predicate;
  }

  /**
   * Filters pairs.
   *
   * @param pairs owned by this call, closed also when it throws
   * @return the remaining pairs, owned by the caller
   */
  Pairs filter(ProbeBatch probe, Pairs pairs) {
    int count;
    try (MemoryBuffer places =
        context.kernelAllocator().allocate(SelectRowsKernel.indexBytes(pairs.count()))) {
      try (RecordBatch columns = columns(probe, pairs)) {
        count = predicate.select(columns, places);
      }
      if (count == pairs.count()) {
        return pairs;
      }
      Pairs filtered = picked(pairs, places, count);
      pairs.close();
      return filtered;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(pairs);
      closer.suppressIn(e);
      throw e;
    }
  }

  private RecordBatch columns(ProbeBatch probe, Pairs pairs) {
    return RecordBatch.of(
        spec.conditionSchema(),
        pairs.count(),
        probe.batch().sequence(),
        i -> column(spec.conditionColumns().get(i), probe, pairs));
  }

  private ColumnVector column(int column, ProbeBatch probe, Pairs pairs) {
    return spec.isOfProbe(column)
        ? gather.gather(probe.column(column), pairs.probeRows(), pairs.count(), false)
        : gather.gather(
            table.column(spec.buildColumn(column)), pairs.buildRows(), pairs.count(), false);
  }

  private Pairs picked(Pairs pairs, MemoryBuffer places, int count) {
    MemoryBuffer probeRows = gather.pick(pairs.probeRows(), pairs.count(), places, count);
    try {
      return new Pairs(
          probeRows, gather.pick(pairs.buildRows(), pairs.count(), places, count), count);
    } catch (RuntimeException | Error e) {
      probeRows.close();
      throw e;
    }
  }

  @Override
  public void close() {
    predicate.close();
  }
}
