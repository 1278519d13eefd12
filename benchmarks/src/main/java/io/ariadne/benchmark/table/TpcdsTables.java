package io.ariadne.benchmark.table;

import io.trino.tpcds.Results;
import io.trino.tpcds.Session;
import io.trino.tpcds.Table;
import io.trino.tpcds.column.Column;
import io.trino.tpcds.column.ColumnType;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The 24 TPC-DS tables as Spark rows.
 *
 * <p>Keys and other integers are INT (as in Spark's own TPC-DS tests), money DECIMAL(7,2), dates
 * DATE, text of fixed or bounded length STRING. Every column may be null. Rows come from
 * io.trino.tpcds, which reproduces dsdgen.
 */
public final class TpcdsTables {
  /** Files of a large table per scale factor: about as many rows per file as in TPC-H. */
  private static final double FILES_PER_SCALE = 4;

  /** The least number of rows that io.trino.tpcds generates per part. */
  private static final long ROWS_PER_PART = 1_000_000;

  private TpcdsTables() {}

  /** Returns all tables. */
  public static List<GeneratedTable> all() {
    return Table.getBaseTables().stream()
        .filter(t -> t != Table.DBGEN_VERSION)
        .<GeneratedTable>map(t -> new DsTable(t.getName()))
        .toList();
  }

  private record DsTable(String name) implements GeneratedTable {
    @Override
    public StructType schema() {
      return new StructType(
          Arrays.stream(table().getColumns()).map(DsTable::field).toArray(StructField[]::new));
    }

    private Table table() {
      return Table.getTable(name);
    }

    private static StructField field(Column column) {
      return DataTypes.createStructField(
          columnName(column.getName()), sparkType(column.getType()), true);
    }

    @Override
    public int parts(double scale) {
      // Returns are generated with the sales that they belong to.
      Table divided = table().isChild() ? table().getParent() : table();
      long rows = Session.getDefaultSession().withScale(scale).getScaling().getRowCount(divided);
      return (int) Math.max(1, rows / ROWS_PER_PART);
    }

    @Override
    public int files(double scale) {
      boolean isLarge = name.endsWith("_sales") || name.endsWith("_returns");
      return isLarge ? (int) Math.max(1, Math.ceil(scale * FILES_PER_SCALE)) : 1;
    }

    @Override
    public Iterator<Row> rows(double scale, int part, int parts) {
      Session session =
          Session.getDefaultSession()
              .withScale(scale)
              .withTable(table())
              .withParallelism(parts)
              .withChunkNumber(part);
      Column[] columns = table().getColumns();
      return StreamSupport.stream(Results.constructResults(table(), session).spliterator(), false)
          .map(lines -> row(columns, lines.get(0)))
          .iterator();
    }
  }

  /** Two names differ from the specification's (TPC-DS 3.2, section 2.4), which queries use. */
  private static String columnName(String generated) {
    return switch (generated) {
      case "p_response_targe" -> "p_response_target";
      case "c_last_review_date_sk" -> "c_last_review_date";
      default -> generated;
    };
  }

  private static DataType sparkType(ColumnType type) {
    return switch (type.getBase()) {
      case INTEGER, IDENTIFIER, TIME -> DataTypes.IntegerType;
      case DATE -> DataTypes.DateType;
      case DECIMAL ->
          DataTypes.createDecimalType(
              type.getPrecision().orElseThrow(), type.getScale().orElseThrow());
      case CHAR, VARCHAR -> DataTypes.StringType;
    };
  }

  private static Row row(Column[] columns, List<String> texts) {
    Object[] values = new Object[columns.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = texts.get(i) == null ? null : value(columns[i].getType(), texts.get(i));
    }
    return RowFactory.create(values);
  }

  private static Object value(ColumnType type, String text) {
    return switch (type.getBase()) {
      case INTEGER, IDENTIFIER, TIME -> Integer.valueOf(text);
      case DATE -> LocalDate.parse(text);
      case DECIMAL -> new BigDecimal(text).setScale(type.getScale().orElseThrow());
      case CHAR, VARCHAR -> text;
    };
  }
}
