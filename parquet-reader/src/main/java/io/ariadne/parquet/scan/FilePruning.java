package io.ariadne.parquet.scan;

import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.DataType;
import io.ariadne.expression.Literal;
import io.ariadne.expression.compiler.MemberColumns;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.parquet.metadata.BloomFilter;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.ColumnChunk.DictionaryUse;
import io.ariadne.parquet.metadata.ColumnIndex;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.OffsetIndex;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.prune.FilterPushdown;
import io.ariadne.parquet.prune.PageIndexes;
import io.ariadne.parquet.prune.PrunedColumn;
import io.ariadne.parquet.prune.PruningOutcome;
import io.ariadne.parquet.prune.RowRanges;
import io.ariadne.parquet.prune.ScanPruner;
import io.ariadne.parquet.schema.ResolvedColumn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/** Evaluates a scan's predicate on a file's metadata. Immutable. */
final class FilePruning {
  /**
   * Largest dictionary that is searched. Searching a larger one costs more than decoding its
   * column.
   */
  private static final int MAX_DICTIONARY_ENTRIES = 1 << 16;

  private final FileMetadata metadata;
  private final List<PrunedColumn> inputs = new ArrayList<>();
  private final ScanPruner pruner;

  /**
   * Prepares to prune.
   *
   * @param metadata the footer
   * @param predicate the predicate in this file
   * @param columns where the scan's columns come from
   * @param pushdown which metadata may be used
   */
  FilePruning(
      FileMetadata metadata,
      FilePredicate predicate,
      FileColumns columns,
      FilterPushdown pushdown) {
    this.metadata = metadata;
    for (int column : predicate.columns()) {
      inputs.add(input(columns, column));
    }
    MemberColumns flat =
        MemberColumns.of(List.of(predicate.expression()), predicate.columns().size());
    for (MemberColumns.Path path : flat.paths()) {
      int column = predicate.columns().get(path.column());
      inputs.add(
          columns.sources().get(column) instanceof FileColumns.Stored stored
                  && !columns.hasLocalTimes(stored.column())
              ? member(stored.column(), path.ordinals())
              : new PrunedColumn.Unknown());
    }
    inputs.replaceAll(input -> used(input, pushdown));
    this.pruner = new ScanPruner(flat.expressions().get(0), inputs, pushdown.levels());
  }

  private static PrunedColumn used(PrunedColumn input, FilterPushdown pushdown) {
    return input instanceof PrunedColumn.Stored stored
            && !pushdown.usesValuesOf(stored.leaf().type())
        ? new PrunedColumn.Unknown()
        : input;
  }

  private static PrunedColumn member(ResolvedColumn struct, List<Integer> ordinals) {
    ResolvedColumn member = struct;
    for (int ordinal : ordinals) {
      if (!(member instanceof ResolvedColumn.Struct group)) {
        break; // members of a missing struct are missing
      }
      member = group.members().get(ordinal);
    }
    boolean isMissing = member instanceof ResolvedColumn.Missing;
    return PrunedColumn.of(member, isMissing ? new Literal(null, member.type()) : null);
  }

  /**
   * Returns what metadata tells about an input of the predicate. Row numbers are in no metadata.
   * Local times have other values in metadata than in their column.
   */
  private static PrunedColumn input(FileColumns columns, int column) {
    FileColumns.Source source = columns.sources().get(column);
    if (source instanceof FileColumns.Constant constant) {
      return new PrunedColumn.Constant(constant.value());
    }
    return source instanceof FileColumns.Stored stored && !columns.hasLocalTimes(stored.column())
        ? PrunedColumn.of(stored.column(), null)
        : new PrunedColumn.Unknown();
  }

  /** Evaluates the predicate on a row group's statistics in the footer. */
  PruningOutcome byStatistics(RowGroup group) {
    return pruner.byStatistics(group);
  }

  /** Evaluates the predicate on a row group's statistics and bloom filters. */
  PruningOutcome byFilters(RowGroup group, ByteRangeReader reader, BufferAllocator allocator) {
    Map<Integer, Optional<BloomFilter>> read = new HashMap<>();
    try {
      return pruner.byFilters(
          group,
          input -> {
            ColumnChunk chunk = chunk(group, input);
            if (chunk == null || chunk.bloomFilter() == null) {
              return null;
            }
            return read.computeIfAbsent(
                    input, key -> Optional.ofNullable(filter(reader, chunk, allocator)))
                .orElse(null);
          });
    } finally {
      read.values().forEach(filter -> filter.ifPresent(BloomFilter::close));
    }
  }

  /**
   * Returns whether dictionaries leave a row that may match. Uses columns whose pages are all
   * dictionary-encoded and that are the only input of a conjunct.
   *
   * @param group the row group
   * @param dictionaries returns the dictionary of an input of the predicate, null for none
   */
  boolean byDictionaries(RowGroup group, IntFunction<Dictionary> dictionaries) {
    return pruner.dictionaryColumns().stream()
        .filter(input -> chunk(group, input).dictionaryUse() == DictionaryUse.ALL)
        .allMatch(input -> byDictionary(group, input, dictionaries.apply(input)));
  }

  private boolean byDictionary(RowGroup group, int input, Dictionary dictionary) {
    if (dictionary == null || dictionary.entryCount() > MAX_DICTIONARY_ENTRIES) {
      return true;
    }
    DataType type = dictionary.entries().type();
    return pruner.byDictionary(group, input, type, new DictionaryLiterals(dictionary));
  }

  private BloomFilter filter(ByteRangeReader reader, ColumnChunk chunk, BufferAllocator allocator) {
    try {
      return BloomFilter.read(reader, metadata, chunk, allocator);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the chunk of an input of the predicate, null when the input is not a flat column. */
  private ColumnChunk chunk(RowGroup group, int input) {
    return inputs.get(input) instanceof PrunedColumn.Stored stored
        ? group.chunk(stored.leaf().leaf().leafIndex())
        : null;
  }

  /** Returns the rows that may match according to page indexes. */
  RowRanges rows(RowGroup group, RowGroupIndexes indexes) {
    return pruner.rows(group, new Indexes(group, indexes));
  }

  /** Supplies the page indexes of the predicate's inputs. */
  private final class Indexes implements PageIndexes {
    private final RowGroup group;
    private final RowGroupIndexes indexes;
    private final Map<Integer, ColumnIndex> statistics = new HashMap<>();

    Indexes(RowGroup group, RowGroupIndexes indexes) {
      this.group = group;
      this.indexes = indexes;
    }

    @Override
    public OffsetIndex offsets(int column) {
      ColumnChunk chunk = chunk(group, column);
      return chunk == null || chunk.columnIndex() == null ? null : indexes.offsets(chunk);
    }

    @Override
    public ColumnIndex statistics(int column) {
      return statistics.computeIfAbsent(column, key -> indexes.statistics(chunk(group, key)));
    }
  }
}
