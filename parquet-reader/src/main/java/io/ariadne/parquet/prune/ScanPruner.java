package io.ariadne.parquet.prune;

import io.ariadne.columnar.type.DataType;
import io.ariadne.expression.Expression;
import io.ariadne.parquet.metadata.BloomFilter;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.RowGroup;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Finds the row groups and rows of one file for which a predicate may be true. Immutable.
 *
 * <p>Skipped rows certainly do not match; the remaining rows may. The predicate is total: it raises
 * no error, and a row for which it is null does not match.
 */
public final class ScanPruner {
  /**
   * Most expressions that are evaluated over a dictionary, such as one comparison with each of 2^16
   * entries.
   */
  static final long MAX_EVALUATIONS = 1 << 18;

  private final Expression predicate;
  private final List<Expression> conjuncts;
  private final List<PrunedColumn> columns;
  private final Set<FilterLevel> levels;

  /**
   * Prepares to prune.
   *
   * @param predicate BOOLEAN over {@code columns}
   * @param columns the predicate's input columns in this file
   * @param levels which kinds of metadata may be used
   */
  public ScanPruner(Expression predicate, List<PrunedColumn> columns, Set<FilterLevel> levels) {
    this.predicate = predicate;
    this.conjuncts = FilterColumns.conjuncts(predicate);
    this.columns = List.copyOf(columns);
    this.levels = Set.copyOf(levels);
  }

  PrunedColumn column(int index) {
    return columns.get(index);
  }

  /** What a row group's statistics tell. */
  private final class GroupFacts implements ColumnFacts {
    private final RowGroup group;
    private final IntFunction<BloomFilter> filters;

    private GroupFacts(RowGroup group, IntFunction<BloomFilter> filters) {
      this.group = group;
      this.filters = filters;
    }

    @Override
    public ValueRange range(int index) {
      PrunedColumn column = columns.get(index);
      if (column instanceof PrunedColumn.Constant constant) {
        return ValueRange.ofLiteral(constant.value().value(), constant.value().type());
      }
      if (column instanceof PrunedColumn.Stored stored && levels.contains(FilterLevel.STATISTICS)) {
        ColumnChunk chunk = group.chunk(stored.leaf().leaf().leafIndex());
        return StatisticsRanges.of(stored.leaf(), chunk.statistics(), chunk.valueCount());
      }
      return ValueRange.UNKNOWN;
    }

    @Override
    public boolean mayContain(int index, Comparable<?> value) {
      if (!(columns.get(index) instanceof PrunedColumn.Stored stored)
          || !levels.contains(FilterLevel.BLOOM_FILTER)) {
        return true;
      }
      BloomFilter filter = filters.apply(index);
      if (filter == null) {
        return true;
      }
      byte[] plain = PlainValueBytes.plain(stored.leaf(), value);
      return plain == null || filter.mightContain(plain);
    }
  }

  /**
   * Evaluates the predicate on the statistics of a row group.
   *
   * @param group the row group
   */
  public PruningOutcome byStatistics(RowGroup group) {
    return byFilters(group, column -> null);
  }

  /**
   * Evaluates the predicate on the statistics and bloom filters of a row group. Filters are
   * requested only where a column is compared for equality and the statistics are not sufficient.
   *
   * @param group the row group
   * @param filters returns the filter of a column by its index in the predicate's input, null when
   *     there is none; may be called several times
   */
  public PruningOutcome byFilters(RowGroup group, IntFunction<BloomFilter> filters) {
    return PruningOutcome.of(
        new PredicateEvaluator(new GroupFacts(group, filters)).evaluate(predicate));
  }

  /**
   * Returns the columns that are the only input of a conjunct, so that their dictionaries can
   * decide it.
   */
  public BitSet dictionaryColumns() {
    BitSet result = new BitSet();
    if (!levels.contains(FilterLevel.DICTIONARY)) {
      return result;
    }
    for (Expression conjunct : conjuncts) {
      BitSet used = FilterColumns.expression(conjunct);
      if (used.cardinality() == 1
          && columns.get(used.nextSetBit(0)) instanceof PrunedColumn.Stored) {
        result.or(used);
      }
    }
    return result;
  }

  /**
   * Returns whether some row may match, for a column chunk whose pages are all dictionary-encoded.
   * Ignores conjuncts whose evaluation is too expensive for what it may save, such as long lists of
   * literals over large dictionaries.
   *
   * @param group the row group
   * @param column index in the predicate's input
   * @param type the column's type
   * @param entries the dictionary
   */
  public boolean byDictionary(
      RowGroup group, int column, DataType type, DictionaryEntries entries) {
    GroupFacts facts = new GroupFacts(group, index -> null);
    boolean hasNulls = facts.range(column).hasNulls();
    for (Expression conjunct : conjuncts) {
      BitSet used = FilterColumns.expression(conjunct);
      boolean isOverColumn = used.cardinality() == 1 && used.get(column);
      boolean isCheap = FilterColumns.size(conjunct) * entries.size() <= MAX_EVALUATIONS;
      if (isOverColumn && isCheap && !mayMatch(conjunct, type, entries, hasNulls)) {
        return false;
      }
    }
    return true;
  }

  private static boolean mayMatch(
      Expression conjunct, DataType type, DictionaryEntries entries, boolean hasNulls) {
    if (hasNulls && isTrue(conjunct, ValueRange.NULLS)) {
      return true;
    }
    for (int i = 0; i < entries.size(); i++) {
      if (isTrue(conjunct, ValueRange.ofLiteral(entries.value(i), type))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isTrue(Expression conjunct, ValueRange range) {
    return Truth.has(new PredicateEvaluator(index -> range).evaluate(conjunct), Truth.TRUE);
  }

  /**
   * Returns the rows of a row group that may match according to page indexes.
   *
   * @param group the row group
   * @param indexes supplies the page indexes; called only for columns that can exclude rows
   */
  public RowRanges rows(RowGroup group, PageIndexes indexes) {
    if (!levels.contains(FilterLevel.COLUMN_INDEX)) {
      return RowRanges.all(group.rowCount());
    }
    GroupFacts facts = new GroupFacts(group, index -> null);
    return new PageRows(this, facts, indexes, group.rowCount()).rows(predicate);
  }
}
