package io.ariadne.it.fuzz;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The tables of a run: ORC and JSON files, and Parquet files with and without dictionaries, several
 * files and row groups, partitions, none or one row, and nothing but nulls. Which columns a table
 * has, what is in them and by which of its APIs Spark reads it follows from the seed.
 *
 * <p>Columns are named after their kind: {@code i1} and {@code i2} are integers in every table that
 * has them, so that one table may stand in the place of another when a failure is made smaller.
 */
final class FuzzTables {
  private static final Map<String, DataType> OTHER_TYPES =
      Map.of(
          "n1", DataTypes.createDecimalType(9, 2),
          "n3", DataTypes.createDecimalType(38, 10));
  private static final List<String> COLUMNS =
      List.of(
          "z1", "z2", "b1", "s1", "i1", "i2", "l1", "l2", "f1", "d1", "d2", "n1", "n2", "n3", "a1",
          "a2", "t1", "t2", "u1", "c1", "c2", "x1", "y1", "k1", "r1", "q1", "w1", "e1", "p1");
  private static final int GROUPS = 7;

  /** A column is missing in one of so many tables. */
  private static final int MISSING_ONE_IN = 6;

  /** One of so many tables is read by version 2 of Spark's data source API. */
  private static final int V2_ONE_IN = 8;

  /** One of so many tables is cached when it is first read. */
  private static final int CACHED_ONE_IN = 16;

  /** One of so many tables is read with another schema than it was written with. */
  private static final int OTHER_SCHEMA_ONE_IN = 4;

  /** Columns that such a schema has and the files do not. */
  private static final List<String> MISSING = List.of("i7", "c7", "q7", "w7");

  /** The formats that Spark reads by version 1. */
  private static final String V1_FORMATS = "spark.sql.sources.useV1SourceList";

  private final Path folder;
  private final Random random;
  private final List<FuzzTable> tables = new ArrayList<>();

  /** How a table is written. */
  private record Form(
      String name,
      String format,
      int rows,
      int files,
      boolean isMild,
      int nullPercent,
      Map<String, String> options) {}

  private static final List<Form> FORMS =
      List.of(
          new Form("empty", "parquet", 0, 1, true, 20, Map.of()),
          new Form("one", "parquet", 1, 1, true, 20, Map.of()),
          new Form("nulls", "parquet", 30, 2, true, 100, Map.of()),
          new Form("mild", "parquet", 40, 2, true, 15, Map.of()),
          new Form("edge", "parquet", 60, 3, false, 15, Map.of("compression", "zstd")),
          new Form(
              "plain",
              "parquet",
              80,
              1,
              true,
              10,
              Map.of("parquet.enable.dictionary", "false", "compression", "none")),
          new Form("dense", "parquet", 50, 2, true, 0, Map.of("parquet.writer.version", "v2")),
          new Form("part", "parquet", 90, 2, true, 15, Map.of()),
          new Form("orc", "orc", 70, 2, false, 15, Map.of()),
          new Form("json", "json", 45, 2, true, 15, Map.of("ignoreNullFields", "false")),
          new Form("some", "parquet", 200, 2, true, 15, Map.of()),
          new Form(
              "many",
              "parquet",
              500,
              4,
              false,
              15,
              Map.of(
                  "parquet.block.size", "20000",
                  "parquet.page.size", "2000",
                  "parquet.block.size.row.check.min", "10")));

  /**
   * Creates tables that are not yet written.
   *
   * @param folder where their files will be
   * @param seed of columns and values
   */
  FuzzTables(Path folder, long seed) {
    this.folder = folder;
    this.random = new Random(seed);
  }

  List<FuzzTable> all() {
    return List.copyOf(tables);
  }

  /** Writes all files. */
  void write(SparkSession session) {
    FORMS.forEach(form -> write(session, form));
  }

  /** Makes views of the files in a session. */
  void register(SparkSession session) {
    for (FuzzTable table : tables) {
      if (table.isReadByV2()) {
        session.conf().set(V1_FORMATS, "");
      }
      session
          .read()
          .schema(table.schema())
          .format(table.format())
          .load(folder.resolve(table.name()).toUri().toString())
          .createOrReplaceTempView(table.name());
      session.conf().unset(V1_FORMATS);
      if (table.isCached()) {
        session.catalog().cacheTable(table.name());
      }
    }
  }

  private void write(SparkSession session, Form form) {
    StructType schema = schema(form.nullPercent());
    FuzzValues values = new FuzzValues(random, form.isMild());
    List<Row> rows = new ArrayList<>(form.rows());
    for (long id = 0; id < form.rows(); id++) {
      rows.add(row(id, schema, values, form.nullPercent()));
    }
    DataFrameWriter<Row> writer =
        session
            .createDataFrame(rows, schema)
            .repartition(form.files())
            .write()
            .mode(SaveMode.Overwrite)
            .options(form.options());
    if (form.name().equals("part")) {
      writer = writer.partitionBy("g");
    }
    writer.format(form.format()).save(folder.resolve(form.name()).toUri().toString());
    boolean isReadByV2 = random.nextInt(V2_ONE_IN) == 0;
    boolean isCached = random.nextInt(CACHED_ONE_IN) == 0;
    tables.add(
        new FuzzTable(
            form.name(),
            form.format(),
            isReadByV2,
            isCached,
            form.rows(),
            form.isMild(),
            readSchema(schema)));
  }

  /** Returns the schema, or one in another order and with columns that the files do not have. */
  private StructType readSchema(StructType written) {
    if (random.nextInt(OTHER_SCHEMA_ONE_IN) > 0) {
      return written;
    }
    List<StructField> fields = new ArrayList<>(List.of(written.fields()));
    MISSING.forEach(
        name -> fields.add(DataTypes.createStructField(name, FuzzTable.kindOf(name).type(), true)));
    Collections.shuffle(fields, random);
    return DataTypes.createStructType(fields);
  }

  private StructType schema(int nullPercent) {
    List<String> names = new ArrayList<>(COLUMNS);
    names.removeIf(any -> random.nextInt(MISSING_ONE_IN) == 0);
    Collections.shuffle(names, random);
    StructType schema =
        new StructType().add("id", DataTypes.LongType, false).add("g", DataTypes.IntegerType);
    for (String name : names) {
      DataType type = OTHER_TYPES.getOrDefault(name, FuzzTable.kindOf(name).type());
      schema = schema.add(name, type, nullPercent > 0);
    }
    return schema;
  }

  private Row row(long id, StructType schema, FuzzValues values, int nullPercent) {
    Object[] row = new Object[schema.length()];
    row[0] = id;
    row[1] = random.nextInt(100) < nullPercent ? null : random.nextInt(GROUPS);
    for (int i = 2; i < row.length; i++) {
      StructField field = schema.apply(i);
      boolean isNull = random.nextInt(100) < nullPercent;
      row[i] = isNull ? null : values.value(FuzzTable.kindOf(field.name()), field.dataType());
    }
    return RowFactory.create(row);
  }
}
