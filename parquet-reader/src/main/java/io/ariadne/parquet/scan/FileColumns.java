package io.ariadne.parquet.scan;

import io.ariadne.columnar.type.Field;
import io.ariadne.expression.Literal;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.schema.Calendars;
import io.ariadne.parquet.schema.ColumnResolver;
import io.ariadne.parquet.schema.ReadRules;
import io.ariadne.parquet.schema.RebaseMode;
import io.ariadne.parquet.schema.ResolvedColumn;
import java.util.ArrayList;
import java.util.List;

/**
 * Where each column of a scan comes from in one file. Immutable.
 *
 * @param sources by the scan's columns
 */
record FileColumns(List<Source> sources) {
  /** Where one column comes from. */
  sealed interface Source permits Constant, Stored {}

  /**
   * The same value in every row.
   *
   * @param value the value
   */
  record Constant(Literal value) implements Source {}

  /**
   * A column of the file.
   *
   * @param column what it is
   */
  record Stored(ResolvedColumn column) implements Source {}

  /**
   * Resolves the columns of a scan in a file.
   *
   * @throws io.ariadne.parquet.schema.TypeMismatchException when a type cannot be read as wanted
   */
  static FileColumns resolve(FileMetadata metadata, ParquetScanSpec spec, FileSlice slice) {
    ParquetScanOptions options = spec.options();
    ReadRules rules =
        options.widening() == ParquetScanOptions.TypeWidening.SPARK_4
            ? ReadRules.spark4(options.isCaseSensitive())
            : ReadRules.spark35(options.isCaseSensitive());
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
    return new FileColumns(List.copyOf(sources));
  }

  private static Source resolve(ColumnResolver resolver, ScanColumn column, FileSlice slice) {
    if (column.isConstant()) {
      return new Constant(slice.constants().get(column.constantIndex()));
    }
    Field field = column.field();
    ResolvedColumn resolved =
        column.fieldId() == ScanColumn.NO_FIELD_ID
            ? resolver.byName(field)
            : resolver.byFieldId(column.fieldId(), field);
    return resolved instanceof ResolvedColumn.Missing
        ? new Constant(column.missingValue())
        : new Stored(resolved);
  }

  /** Returns the file's leaves that the columns are made of. */
  List<SchemaNode> leaves() {
    List<SchemaNode> leaves = new ArrayList<>();
    for (Source source : sources) {
      if (source instanceof Stored stored) {
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
