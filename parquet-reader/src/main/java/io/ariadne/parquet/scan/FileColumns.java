package io.ariadne.parquet.scan;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.expression.Literal;
import io.ariadne.kernel.parquet.CalendarRebase;
import io.ariadne.kernel.parquet.ValueConversion;
import io.ariadne.parquet.column.FlatColumn;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.page.PageSite;
import java.util.ArrayList;
import java.util.List;

/** Where each column of a scan comes from in one file. Immutable. */
record FileColumns(List<Source> sources) {
  /** Where one column comes from. */
  sealed interface Source permits Constant, Flat {}

  /**
   * The same value in every row.
   *
   * @param value the value
   */
  record Constant(Literal value) implements Source {}

  /**
   * A leaf that is not nested.
   *
   * @param leaf the file's column
   * @param type the wanted type
   */
  record Flat(SchemaNode leaf, DataType type) implements Source {
    /** Returns how the values of a row group are decoded. */
    FlatColumn column(String file, int rowGroup, boolean keepsDictionary) {
      PageSite site = new PageSite(file, leaf.path(), rowGroup);
      return new FlatColumn(
          site,
          leaf.kind(),
          leaf.kind().widthInBytes() == 0 ? leaf.typeLength() : leaf.kind().widthInBytes(),
          type,
          type.defaultPhysicalType(),
          conversion(),
          0,
          CalendarRebase.NONE,
          keepsDictionary);
    }

    private ValueConversion conversion() {
      return switch (leaf.kind()) {
        case INT32, FLOAT ->
            type.defaultPhysicalType() == PhysicalType.I64
                ? ValueConversion.INT32_TO_I64
                : ValueConversion.COPY_4;
        case INT64, DOUBLE -> ValueConversion.COPY_8;
        default -> null;
      };
    }
  }

  /** Resolves the columns of a scan in a file. */
  static FileColumns resolve(FileMetadata metadata, ParquetScanSpec spec, FileSlice slice) {
    List<Source> sources = new ArrayList<>();
    for (ScanColumn column : spec.columns()) {
      sources.add(resolve(metadata, column, slice));
    }
    return new FileColumns(List.copyOf(sources));
  }

  private static Source resolve(FileMetadata metadata, ScanColumn column, FileSlice slice) {
    if (column.isConstant()) {
      return new Constant(slice.constants().get(column.constantIndex()));
    }
    for (SchemaNode node : metadata.root().children()) {
      if (node.name().equalsIgnoreCase(column.field().name())) {
        if (!node.isLeaf() || column.field().type() == PrimitiveType.NULL) {
          throw new EngineException(ErrorCode.UNSUPPORTED, "nested column " + node);
        }
        return new Flat(node, column.field().type());
      }
    }
    return new Constant(column.missingValue());
  }
}
