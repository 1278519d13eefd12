package io.ariadne.benchmark.operators;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.io.LocalFileReader;
import io.ariadne.operator.SplitSourceFactory;
import io.ariadne.parquet.scan.FileSlice;
import io.ariadne.parquet.scan.ParquetScanOptions;
import io.ariadne.parquet.scan.ParquetScanSpec;
import io.ariadne.parquet.scan.ParquetSplitSource;
import io.ariadne.parquet.scan.ScanColumn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** TPC-H's tables in folders of Parquet files, as {@code bin/ariadne generate} writes them. */
final class Tables {
  private static final DataType MONEY = new DecimalType(12, 2);

  private final Path folder;

  Tables(Path folder) {
    this.folder = folder;
  }

  /** Returns a schema of TPC-H columns; the name determines the type. */
  static Schema schema(List<String> columns) {
    return new Schema(columns.stream().map(name -> new Field(name, type(name), true)).toList());
  }

  private static DataType type(String column) {
    return switch (column) {
      case "l_orderkey", "l_partkey", "o_orderkey" -> PrimitiveType.INT64;
      case "l_linenumber" -> PrimitiveType.INT32;
      case "l_quantity", "l_extendedprice", "l_discount" -> MONEY;
      case "l_shipdate", "o_orderdate" -> PrimitiveType.DATE32;
      case "l_returnflag", "l_linestatus" -> PrimitiveType.STRING;
      default -> throw new IllegalArgumentException("unknown type of column " + column);
    };
  }

  /**
   * Returns a scan of a table.
   *
   * @throws IOException when the folder of the table cannot be read
   */
  SplitSourceFactory scan(String table, List<String> columns) throws IOException {
    ParquetScanSpec spec =
        new ParquetScanSpec(
            schema(columns).fields().stream().map(ScanColumn::ofFile).toList(),
            null,
            ParquetScanOptions.DEFAULT);
    return ParquetSplitSource.factory(
        spec, slices(table), slice -> LocalFileReader.open(Path.of(slice.path())));
  }

  private List<FileSlice> slices(String table) throws IOException {
    List<FileSlice> slices = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder.resolve(table))) {
      for (Path file :
          files.filter(each -> each.toString().endsWith(".parquet")).sorted().toList()) {
        slices.add(new FileSlice(file.toString(), 0, Files.size(file), List.of()));
      }
    }
    if (slices.isEmpty()) {
      throw new IOException("no Parquet files in " + folder.resolve(table));
    }
    return slices;
  }
}
