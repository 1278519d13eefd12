package io.ariadne.parquet.scan;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.expression.Literal;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.schema.Calendars;
import io.ariadne.parquet.schema.ColumnResolver;
import io.ariadne.parquet.schema.ReadRules;
import io.ariadne.parquet.schema.RebaseMode;
import io.ariadne.parquet.schema.ResolvedColumn;
import io.ariadne.parquet.schema.TypeMismatchException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/**
 * Where each column of a scan comes from in one file. Immutable.
 *
 * @param sources one source per column of the scan
 * @param int96Zone zone whose local time INT96 timestamps are, null when they are instants
 */
record FileColumns(List<Source> sources, ZoneId int96Zone) {
  /** Where one column comes from. */
  sealed interface Source permits Constant, RowIndex, Stored, Mismatched {}

  /**
   * The same value in every row.
   *
   * @param value the value
   */
  record Constant(Literal value) implements Source {}

  /** The row's number in the file. */
  record RowIndex() implements Source {}

  /**
   * A column of the file.
   *
   * @param column the resolved column
   */
  record Stored(ResolvedColumn column) implements Source {}

  /**
   * A column of the file that cannot be read as the requested type. It is an error when the first
   * rows are read, as in Spark, and no error where statistics leave no rows.
   *
   * @param failure the error
   */
  record Mismatched(TypeMismatchException failure) implements Source {}

  /**
   * Resolves the columns of a scan in a file.
   *
   * @throws TypeMismatchException when a column is a group in the file and is not requested as one,
   *     or the reverse
   * @throws EngineException USER when the scan requires field ids and the file has none
   */
  static FileColumns resolve(FileMetadata metadata, ParquetScanSpec spec, FileSlice slice) {
    ParquetScanOptions options = spec.options();
    if (options.requiresFieldIds() && !metadata.hasFieldIds()) {
      throw new EngineException(
          ErrorCode.USER,
          "the read schema has field ids, but the file has none; remove them from the schema or set"
              + " spark.sql.parquet.fieldId.read.ignoreMissing to true, in "
              + metadata.file());
    }
    ReadRules rules =
        new ReadRules(
            options.isCaseSensitive(),
            options.widening() == ParquetScanOptions.TypeWidening.SPARK_4,
            options.nullsEmptyStructs(),
            options.readsVariantsAsStructs());
    Calendars calendars =
        Calendars.of(
            metadata,
            RebaseMode.valueOf(options.datetimeRebase().name()),
            RebaseMode.valueOf(options.int96Rebase().name()),
            options.int96Zone());
    ColumnResolver resolver = new ColumnResolver(metadata, rules, calendars);
    List<Source> sources = new ArrayList<>();
    for (ScanColumn column : spec.columns()) {
      sources.add(resolve(resolver, column, slice));
    }
    String zone = calendars.int96Zone();
    return new FileColumns(List.copyOf(sources), zone == null ? null : ZoneId.of(zone));
  }

  private static Source resolve(ColumnResolver resolver, ScanColumn column, FileSlice slice) {
    if (column.isConstant()) {
      return new Constant(slice.constants().get(column.constantIndex()));
    }
    if (!column.isStored()) {
      return new RowIndex();
    }
    try {
      ResolvedColumn resolved = resolver.find(column.field(), column.ids());
      return resolved instanceof ResolvedColumn.Missing
          ? new Constant(column.missingValue())
          : new Stored(resolved);
    } catch (TypeMismatchException e) {
      if (e.isOfShape()) {
        throw e;
      }
      return new Mismatched(e);
    }
  }

  /** Fails if a column cannot be read as requested. Must be called before rows are read. */
  void checkTypes() {
    for (Source source : sources) {
      if (source instanceof Mismatched mismatched) {
        throw mismatched.failure();
      }
    }
  }

  /** Returns whether a column has INT96 timestamps that are local times. */
  boolean hasLocalTimes(ResolvedColumn column) {
    return int96Zone != null && LocalTimeDecoder.concerns(column);
  }

  /** Returns the file's leaves that the columns are made from. */
  List<SchemaNode> leaves() {
    List<SchemaNode> leaves = new ArrayList<>();
    for (Source source : sources) {
      if (source instanceof Stored stored) {
        addLeaves(stored.column(), leaves);
      }
    }
    return leaves;
  }

  /** Returns the file's leaves that certain columns of the scan are made from. */
  List<SchemaNode> leavesOf(List<Integer> columns) {
    List<SchemaNode> leaves = new ArrayList<>();
    for (int column : columns) {
      if (sources.get(column) instanceof Stored stored) {
        addLeaves(stored.column(), leaves);
      }
    }
    return leaves;
  }

  private static void addLeaves(ResolvedColumn column, List<SchemaNode> leaves) {
    if (column instanceof ResolvedColumn.Leaf leaf) {
      leaves.add(leaf.leaf());
    } else if (column instanceof ResolvedColumn.Struct struct) {
      struct.members().forEach(member -> addLeaves(member, leaves));
      if (struct.witness() != null) {
        leaves.add(struct.witness());
      }
    } else if (column instanceof ResolvedColumn.Repeated list) {
      addLeaves(list.element(), leaves);
    } else if (column instanceof ResolvedColumn.KeyValue map) {
      addLeaves(map.key(), leaves);
      addLeaves(map.value(), leaves);
    }
  }
}
