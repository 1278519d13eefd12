package io.ariadne.benchmark.table;

import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchColumnType;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The eight TPC-H tables as Spark rows.
 *
 * <p>Identifiers are BIGINT, money and quantities DECIMAL(12,2), dates DATE, text STRING (TPC-H
 * 3.0, section 1.4). Rows come from io.trino.tpch, which reproduces dbgen.
 */
public final class TpchTables {
  private static final int MONEY_PRECISION = 12;
  private static final int MONEY_SCALE = 2;
  private static final double PARTS_PER_SCALE = 8;
  private static final Pattern NO_WORD = Pattern.compile("\\W+");

  private TpchTables() {}

  /** Returns all tables, with all columns. */
  public static List<GeneratedTable> all() {
    return TpchTable.getTables().stream().map(t -> table(t.getTableName())).toList();
  }

  /**
   * Returns the tables that queries read, each with only the columns that the queries read: those
   * whose names occur in the texts. Names of columns are unique in TPC-H.
   *
   * @param queries texts of the queries
   */
  public static List<GeneratedTable> readBy(List<String> queries) {
    Set<String> words =
        queries.stream().flatMap(text -> NO_WORD.splitAsStream(text)).collect(Collectors.toSet());
    return TpchTable.getTables().stream()
        .filter(table -> words.contains(table.getTableName()))
        .<GeneratedTable>map(table -> new Table(table.getTableName(), columns(table, words)))
        .toList();
  }

  /** Returns the numbers of the columns that are named, or that of the first column if none is. */
  private static List<Integer> columns(TpchTable<?> table, Set<String> words) {
    List<? extends TpchColumn<?>> all = table.getColumns();
    List<Integer> named =
        IntStream.range(0, all.size())
            .filter(i -> words.contains(all.get(i).getColumnName()))
            .boxed()
            .toList();
    return named.isEmpty() ? List.of(0) : named;
  }

  /** Returns the table of a name, for example {@code lineitem}. */
  public static GeneratedTable table(String name) {
    return new Table(name, allColumns(TpchTable.getTable(name)));
  }

  private static List<Integer> allColumns(TpchTable<?> table) {
    return IntStream.range(0, table.getColumns().size()).boxed().toList();
  }

  /**
   * A table with some or all of its columns.
   *
   * @param name the table's name
   * @param columns the numbers of its columns, from 0
   */
  private record Table(String name, List<Integer> columns) implements GeneratedTable {
    @Override
    public StructType schema() {
      List<? extends TpchColumn<?>> all = TpchTable.getTable(name).getColumns();
      return new StructType(
          columns.stream().map(i -> field(all.get(i))).toArray(StructField[]::new));
    }

    private static StructField field(TpchColumn<?> column) {
      return DataTypes.createStructField(
          column.getColumnName(), sparkType(column.getType()), false);
    }

    @Override
    public int parts(double scale) {
      return switch (name) {
        case "lineitem", "orders", "partsupp" ->
            (int) Math.max(1, Math.ceil(scale * PARTS_PER_SCALE));
        case "nation", "region" -> 1;
        default -> (int) Math.max(1, Math.ceil(scale));
      };
    }

    @Override
    public Iterator<Row> rows(double scale, int part, int parts) {
      TpchTable<?> table = TpchTable.getTable(name);
      Iterable<? extends TpchEntity> entities = table.createGenerator(scale, part, parts);
      return StreamSupport.stream(entities.spliterator(), false)
          .map(entity -> row(table, columns, entity))
          .iterator();
    }
  }

  private static DataType sparkType(TpchColumnType type) {
    return switch (type.getBase()) {
      case INTEGER -> DataTypes.IntegerType;
      case IDENTIFIER -> DataTypes.LongType;
      case DATE -> DataTypes.DateType;
      case DOUBLE -> DataTypes.createDecimalType(MONEY_PRECISION, MONEY_SCALE);
      case VARCHAR -> DataTypes.StringType;
    };
  }

  private static <E extends TpchEntity> Row row(
      TpchTable<E> table, List<Integer> numbers, TpchEntity entity) {
    @SuppressWarnings("unchecked")
    E typed = (E) entity;
    List<TpchColumn<E>> columns = table.getColumns();
    Object[] values = new Object[numbers.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(columns.get(numbers.get(i)), typed);
    }
    return RowFactory.create(values);
  }

  private static <E extends TpchEntity> Object value(TpchColumn<E> column, E entity) {
    return switch (column.getType().getBase()) {
      case INTEGER -> column.getInteger(entity);
      case IDENTIFIER -> column.getIdentifier(entity);
      case DATE -> LocalDate.ofEpochDay(column.getDate(entity));
      case DOUBLE ->
          BigDecimal.valueOf(column.getDouble(entity)).setScale(MONEY_SCALE, RoundingMode.HALF_UP);
      case VARCHAR -> column.getString(entity);
    };
  }
}
