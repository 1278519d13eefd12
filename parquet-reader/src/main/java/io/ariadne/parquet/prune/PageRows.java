package io.ariadne.parquet.prune;

import io.ariadne.expression.Call;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.parquet.metadata.ColumnIndex;
import io.ariadne.parquet.metadata.OffsetIndex;
import io.ariadne.parquet.metadata.Statistics;
import java.util.BitSet;

/**
 * Evaluates a predicate on page indexes. Parts of the predicate over one column are evaluated page
 * by page; the resulting rows are intersected for conjunctions and united for disjunctions. Other
 * parts may be true anywhere.
 */
final class PageRows {
  private final PageIndexes indexes;
  private final ColumnFacts groupFacts;
  private final ScanPruner pruner;
  private final long rowCount;

  PageRows(ScanPruner pruner, ColumnFacts groupFacts, PageIndexes indexes, long rowCount) {
    this.pruner = pruner;
    this.groupFacts = groupFacts;
    this.indexes = indexes;
    this.rowCount = rowCount;
  }

  RowRanges rows(Expression expression) {
    if (expression instanceof Call call) {
      if (call.function() == Function.AND) {
        RowRanges left = rows(call.arguments().get(0));
        return left.isEmpty() ? left : left.intersect(rows(call.arguments().get(1)));
      }
      if (call.function() == Function.OR) {
        return rows(call.arguments().get(0)).union(rows(call.arguments().get(1)));
      }
    }
    int truth = new PredicateEvaluator(groupFacts).evaluate(expression);
    if (!Truth.has(truth, Truth.TRUE)) {
      return RowRanges.NONE;
    }
    BitSet columns = FilterColumns.expression(expression);
    boolean isByPage = columns.cardinality() == 1 && truth != Truth.TRUE;
    return isByPage ? byPage(expression, columns.nextSetBit(0)) : RowRanges.all(rowCount);
  }

  private RowRanges byPage(Expression expression, int column) {
    if (!(pruner.column(column) instanceof PrunedColumn.Stored stored)) {
      return RowRanges.all(rowCount);
    }
    OffsetIndex offsets = indexes.offsets(column);
    ColumnIndex statistics = offsets == null ? null : indexes.statistics(column);
    if (statistics == null) {
      return RowRanges.all(rowCount);
    }
    RowRanges.Builder rows = new RowRanges.Builder();
    for (int page = 0; page < offsets.pageCount(); page++) {
      ValueRange range = pageRange(stored, offsets, statistics, page);
      if (Truth.has(new PredicateEvaluator(c -> range).evaluate(expression), Truth.TRUE)) {
        rows.add(offsets.firstRow(page), offsets.endRow(page));
      }
    }
    return rows.build();
  }

  private static ValueRange pageRange(
      PrunedColumn.Stored stored, OffsetIndex offsets, ColumnIndex statistics, int page) {
    if (statistics.isNullPage(page)) {
      return ValueRange.NULLS;
    }
    Statistics known = statistics.statistics(page);
    return StatisticsRanges.of(stored.leaf(), known, offsets.endRow(page) - offsets.firstRow(page));
  }
}
