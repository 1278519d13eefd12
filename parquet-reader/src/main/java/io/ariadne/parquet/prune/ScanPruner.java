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
 * Tells of one file which row groups and rows a predicate cannot be true for. Immutable.
 *
 * <p>What it leaves out certainly does not match; what it keeps may. The predicate is total: it
 * raises nothing, and a row for which it is null does not match.
 */
public final class ScanPruner {
  /** Expressions evaluated over a dictionary: a comparison with each of 2^16 entries, or fewer. */
  static final long MAX_EVALUATIONS = 1 << 18;

  private final Expression predicate;
  private final List<Expression> conjuncts;
  private final List<PrunedColumn> columns;
  private final Set<FilterLevel> levels;

  /**
   * Prepares.
   *
   * @param predicate BOOLEAN over {@code columns}
   * @param columns the predicate's input columns in this file
   * @param levels which kinds of facts may be used
   */
  public ScanPruner(Expression predicate, List<PrunedColumn> columns, Set<FilterLevel> levels) {
    this.predicate = predicate;
    this.conjuncts = ColumnsOf.conjuncts(predicate);
    this.columns = List.copyOf(columns);
    this.levels = Set.copyOf(levels);
  }

  PrunedColumn column(int index) {
    return columns.get(index);
  }

  /** What a row group's statistics say. */
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
   * Returns what the statistics of a row group say.
   *
   * @param group the row group
   */
  public Outcome byStatistics(RowGroup group) {
    return byFilters(group, column -> null);
  }

  /**
   * Returns what the statistics and bloom filters of a row group say. Filters are asked for only
   * where a column is compared for equality and the statistics do not decide already.
   *
   * @param group the row group
   * @param filters gives the filter of a column by its position in the predicate's input, null when
   *     there is none; may be asked several times
   */
  public Outcome byFilters(RowGroup group, IntFunction<BloomFilter> filters) {
    return Outcome.of(new PredicateEvaluator(new GroupFacts(group, filters)).evaluate(predicate));
  }

  /**
   * Returns the columns over which alone there is a conjunct: those whose dictionaries can decide.
   */
  public BitSet dictionaryColumns() {
    BitSet result = new BitSet();
    if (!levels.contains(FilterLevel.DICTIONARY)) {
      return result;
    }
    for (Expression conjunct : conjuncts) {
      BitSet used = ColumnsOf.expression(conjunct);
      if (used.cardinality() == 1
          && columns.get(used.nextSetBit(0)) instanceof PrunedColumn.Stored) {
        result.or(used);
      }
    }
    return result;
  }

  /**
   * Returns whether some row may match, of a column chunk all of whose pages are dictionary coded.
   * Conjuncts that are too much work for what they may save are not looked at, such as long lists
   * of literals over large dictionaries.
   *
   * @param group the row group
   * @param column position in the predicate's input
   * @param type the column's type
   * @param entries the dictionary
   */
  public boolean byDictionary(
      RowGroup group, int column, DataType type, DictionaryEntries entries) {
    GroupFacts facts = new GroupFacts(group, index -> null);
    boolean hasNulls = facts.range(column).hasNulls();
    for (Expression conjunct : conjuncts) {
      BitSet used = ColumnsOf.expression(conjunct);
      boolean isOverColumn = used.cardinality() == 1 && used.get(column);
      boolean isCheap = ColumnsOf.size(conjunct) * entries.size() <= MAX_EVALUATIONS;
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
   * Returns the rows of a row group that may match by what page indexes say.
   *
   * @param group the row group
   * @param indexes gives the page indexes; asked only for columns that can decide something
   */
  public RowRanges rows(RowGroup group, PageIndexes indexes) {
    if (!levels.contains(FilterLevel.COLUMN_INDEX)) {
      return RowRanges.all(group.rowCount());
    }
    GroupFacts facts = new GroupFacts(group, index -> null);
    return new PageRows(this, facts, indexes, group.rowCount()).rows(predicate);
  }
}
