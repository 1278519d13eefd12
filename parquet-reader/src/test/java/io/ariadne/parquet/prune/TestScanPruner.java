package io.ariadne.parquet.prune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.expression.Expression;
import io.ariadne.parquet.metadata.BloomFilter;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.ColumnChunk.DictionaryUse;
import io.ariadne.parquet.metadata.ColumnIndex;
import io.ariadne.parquet.metadata.OffsetIndex;
import io.ariadne.parquet.metadata.PageIndexReader;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests random predicates over random files: no matching row is skipped, and many other rows are.
 */
class TestScanPruner {
  private static final int ROWS = 3_000;
  private static final int PREDICATES = 1_500;

  private final TestingAllocator allocator = new TestingAllocator();
  private final Map<String, Object> indexes = new HashMap<>();
  private long groups;
  private long groupsMatching;
  private long prunedByStatistics;
  private long prunedByFilters;
  private long prunedByDictionary;
  private long provenWhole;
  private long rowsKept;
  private long rowsMatching;

  static Stream<WriterOptions> options() {
    WriterOptions plain = WriterOptions.PLAIN.withRowGroupBytes(20_000);
    return Stream.of(
        plain.withPages(WriterVersion.PARQUET_1_0, true, 40).withExtras(true, true, false, false),
        plain.withPages(WriterVersion.PARQUET_2_0, false, 100).withExtras(true, true, true, true),
        plain
            .withPages(WriterVersion.PARQUET_1_0, true, 10)
            .withExtras(false, false, false, false));
  }

  @ParameterizedTest
  @MethodSource("options")
  void leavesOutOnlyWhatDoesNotMatch(WriterOptions options) throws IOException {
    long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
    String context = "-Dariadne.test.seed=" + seed;
    PruneData data = new PruneData(seed, ROWS, options);
    assertTrue(data.metadata.rowGroups().size() > 2, context);
    RandomPredicates predicates = new RandomPredicates(new Random(seed), data);
    for (int i = 0; i < PREDICATES; i++) {
      Expression predicate = predicates.predicate(3);
      check(data, predicate, context + " " + predicate);
    }
    for (Object index : indexes.values()) {
      if (index instanceof BloomFilter filter) {
        filter.close();
      }
    }
    assertEquals(0, allocator.allocatedBytes());
    if (options.statistics()) {
      String counts =
          "groups=%d matching=%d statistics=%d filters=%d dictionary=%d whole=%d kept=%d rows=%d"
              .formatted(
                  groups,
                  groupsMatching,
                  prunedByStatistics,
                  prunedByFilters,
                  prunedByDictionary,
                  provenWhole,
                  rowsKept,
                  rowsMatching);
      long unmatched = groups - groupsMatching;
      assertTrue(prunedByStatistics > unmatched / 3, counts + " " + context);
      assertTrue(prunedByFilters >= prunedByStatistics, counts + " " + context);
      assertTrue(provenWhole > 0, counts + " " + context);
    }
  }

  private void check(PruneData data, Expression predicate, String context) throws IOException {
    ScanPruner pruner = new ScanPruner(predicate, data.columns, FilterPushdown.ALL.levels());
    for (RowGroup group : data.metadata.rowGroups()) {
      List<Long> matches = new ArrayList<>();
      for (long row = 0; row < group.rowCount(); row++) {
        Object[] values = data.rows.get((int) (group.firstRow() + row));
        if (Boolean.TRUE.equals(RowReference.evaluate(predicate, values))) {
          matches.add(row);
        }
      }
      groups++;
      groupsMatching += matches.isEmpty() ? 0 : 1;
      rowsMatching += matches.size();
      checkGroup(data, pruner, group, matches, context);
      RowRanges rows = pruner.rows(group, pages(data, group));
      rowsKept += rows.rowCount();
      for (long row : matches) {
        assertTrue(rows.overlaps(row, row + 1), () -> "row " + row + " of " + group + context);
      }
    }
  }

  private void checkGroup(
      PruneData data, ScanPruner pruner, RowGroup group, List<Long> matches, String context) {
    PruningOutcome statistics = pruner.byStatistics(group);
    PruningOutcome filters = pruner.byFilters(group, column -> filter(data, group, column));
    String what = group + " " + context;
    for (PruningOutcome outcome : List.of(statistics, filters)) {
      assertTrue(outcome != PruningOutcome.NONE || matches.isEmpty(), what);
      assertTrue(outcome != PruningOutcome.ALL || matches.size() == group.rowCount(), what);
    }
    prunedByStatistics += statistics == PruningOutcome.NONE ? 1 : 0;
    prunedByFilters += filters == PruningOutcome.NONE ? 1 : 0;
    provenWhole += statistics == PruningOutcome.ALL ? 1 : 0;
    boolean mayMatch = true;
    for (int column : pruner.dictionaryColumns().stream().toArray()) {
      ColumnChunk chunk = chunk(data, group, column);
      if (chunk.dictionaryUse() == DictionaryUse.ALL) {
        mayMatch &=
            pruner.byDictionary(
                group, column, PruneData.type(column), entries(data, group, column));
      }
    }
    assertTrue(mayMatch || matches.isEmpty(), what);
    prunedByDictionary += mayMatch ? 0 : 1;
  }

  private static ColumnChunk chunk(PruneData data, RowGroup group, int column) {
    PrunedColumn.Stored stored = (PrunedColumn.Stored) data.columns.get(column);
    return group.chunk(stored.leaf().leaf().leafIndex());
  }

  private static DictionaryEntries entries(PruneData data, RowGroup group, int column) {
    List<Object> values = new ArrayList<>();
    for (long row = 0; row < group.rowCount(); row++) {
      Object value = data.rows.get((int) (group.firstRow() + row))[column];
      if (value != null) {
        values.add(value);
      }
    }
    return new DictionaryEntries() {
      @Override
      public int size() {
        return values.size();
      }

      @Override
      public Object value(int index) {
        return values.get(index);
      }
    };
  }

  @SuppressWarnings("unchecked")
  private <T> T cached(String kind, RowGroup group, int column, Reading<T> reading) {
    return (T)
        indexes.computeIfAbsent(
            kind + group.ordinal() + "," + column,
            key -> {
              try {
                return reading.read();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  private interface Reading<T> {
    T read() throws IOException;
  }

  private BloomFilter filter(PruneData data, RowGroup group, int column) {
    ColumnChunk chunk = chunk(data, group, column);
    return chunk.bloomFilter() == null
        ? null
        : cached(
            "bloom",
            group,
            column,
            () -> BloomFilter.read(data.file, data.metadata, chunk, allocator));
  }

  private PageIndexes pages(PruneData data, RowGroup group) {
    return new PageIndexes() {
      @Override
      public OffsetIndex offsets(int column) {
        ColumnChunk chunk = chunk(data, group, column);
        return chunk.offsetIndex() == null
            ? null
            : cached(
                "offsets",
                group,
                column,
                () ->
                    PageIndexReader.readOffsetIndex(
                        data.file, data.metadata, group, chunk, allocator));
      }

      @Override
      public ColumnIndex statistics(int column) {
        ColumnChunk chunk = chunk(data, group, column);
        int pages = offsets(column).pageCount();
        return chunk.columnIndex() == null
            ? null
            : cached(
                "statistics",
                group,
                column,
                () ->
                    PageIndexReader.readColumnIndex(
                        data.file, data.metadata, group, chunk, pages, allocator));
      }
    };
  }
}
