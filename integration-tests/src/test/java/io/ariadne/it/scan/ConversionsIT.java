package io.ariadne.it.scan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.it.sql.Outcome;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests columns that are read as another type than they were written in, for every pair of types:
 * rows or errors are Spark's. Also tests dates and timestamps of both calendars, and types that
 * only other writers write.
 */
class ConversionsIT extends AbstractScanIT {
  private static final List<String> WRITTEN =
      List.of(
          "cast(id % 2 as boolean)",
          "cast(id - 2 as tinyint)",
          "cast(id * 100 - 200 as smallint)",
          "cast(id * 1000000 - 3 as int)",
          "id * 10000000000 - 5",
          "cast(id as float) / 3",
          "cast(id as double) / 7",
          "cast(id * 1.25 as decimal(5, 2))",
          "cast(id * 1.25 as decimal(9, 2))",
          "cast(id * 100000.125 as decimal(18, 3))",
          "cast(id * 100000.125 as decimal(25, 5))",
          "date_add(date'2020-02-28', cast(id as int))",
          "timestamp_micros(id * 86400000001)",
          "cast(timestamp_micros(id * 86400000001) as timestamp_ntz)",
          "concat('text ', id)",
          "cast(concat('bytes ', id) as binary)",
          "cast(null as int)");
  private static final List<String> READ =
      List.of(
          "boolean",
          "tinyint",
          "smallint",
          "int",
          "bigint",
          "float",
          "double",
          "decimal(5,2)",
          "decimal(7,2)",
          "decimal(9,4)",
          "decimal(10,0)",
          "decimal(11,2)",
          "decimal(18,3)",
          "decimal(20,0)",
          "decimal(20,4)",
          "decimal(27,7)",
          "decimal(38,5)",
          "date",
          "timestamp",
          "timestamp_ntz",
          "string",
          "binary");

  @Test
  void everyPairOfTypesMatchesSpark() {
    for (int i = 0; i < WRITTEN.size(); i++) {
      String name = "from-" + i;
      write(
          session.range(0, 6, 1, 1).selectExpr(WRITTEN.get(i) + " as c"),
          name,
          Map.of("parquet.enable.dictionary", String.valueOf(random.nextBoolean())));
      for (String wanted : READ) {
        session
            .read()
            .schema("c " + wanted)
            .parquet(address(name))
            .createOrReplaceTempView("converted");
        check("select c from converted");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"EXCEPTION", "LEGACY", "CORRECTED"})
  void calendarsMatchSpark(String written) {
    Map<String, String> timestampTypes =
        Map.of("m", "TIMESTAMP_MICROS", "k", "TIMESTAMP_MILLIS", "n", "INT96");
    timestampTypes.forEach(
        (name, type) -> {
          boolean isOld = !written.equals("EXCEPTION");
          set("spark.sql.parquet.outputTimestampType", type);
          set("spark.sql.parquet.datetimeRebaseModeInWrite", written);
          set("spark.sql.parquet.int96RebaseModeInWrite", written);
          write(
              session.sql(
                  "select date_add(d, cast(id * 37 as int)) as d, t + make_dt_interval(id * 41) as"
                      + " t from range(0, 200, 1, 1), values ("
                      + (isOld
                          ? "date'1400-01-01', timestamp'1000-01-01 00:00:00'"
                          : "date'1990-01-01', timestamp'1990-01-01 00:00:00'")
                      + ") as v(d, t)"),
              "calendar-" + name,
              Map.of());
        });
    List.of("outputTimestampType", "datetimeRebaseModeInWrite", "int96RebaseModeInWrite")
        .forEach(key -> session.conf().unset("spark.sql.parquet." + key));
    set("spark.sql.parquet.datetimeRebaseModeInWrite", "CORRECTED");
    set("spark.sql.parquet.int96RebaseModeInWrite", "CORRECTED");
    for (String name : timestampTypes.keySet()) {
      session.read().parquet(address("calendar-" + name)).createOrReplaceTempView("calendar");
      for (String zone : List.of("UTC", "America/Los_Angeles")) {
        check("select d, t from calendar", Map.of("spark.sql.session.timeZone", zone));
      }
      check("select d, t from calendar where d > date'1500-01-01'");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"EXCEPTION", "LEGACY", "CORRECTED"})
  void filesThatDoNotNameTheirCalendar(String mode) throws Exception {
    writeForeign();
    viewForeign();
    Map<String, String> modes =
        Map.of(
            "spark.sql.parquet.datetimeRebaseModeInRead", mode,
            "spark.sql.parquet.int96RebaseModeInRead", mode);
    for (String column : List.of("d", "micros", "millis", "nanos96")) {
      check("select id, " + column + " from foreign", modes);
      check("select id, " + column + " from foreign where id < 2", modes);
      check("select count(*), max(id) from foreign where " + column + " is not null", modes);
    }
    if (mode.equals("EXCEPTION")) {
      set("spark.sql.parquet.datetimeRebaseModeInRead", mode);
      Outcome outcome = Outcome.of(session, "select d from foreign");
      session.conf().unset("spark.sql.parquet.datetimeRebaseModeInRead");
      assertTrue(outcome.error().contains("INCONSISTENT_BEHAVIOR_CROSS_VERSION"), outcome::error);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void localTimesOfOtherWritersMatchSpark(String dictionary) throws Exception {
    writeLocalTimes(Boolean.parseBoolean(dictionary));
    session
        .read()
        .schema("id bigint, t timestamp, n struct<l: array<timestamp>>")
        .parquet(address("local-times"))
        .createOrReplaceTempView("local_times");
    for (String zone : List.of("UTC", "America/Los_Angeles", "Asia/Kolkata", "+05:30", "CET")) {
      for (String mode : List.of("EXCEPTION", "LEGACY", "CORRECTED")) {
        Map<String, String> settings =
            Map.of(
                "spark.sql.session.timeZone", zone,
                "spark.sql.parquet.int96RebaseModeInRead", mode,
                "spark.sql.parquet.int96TimestampConversion", "true");
        check("select id, t, n from local_times", settings);
        check("select id, t from local_times where t > timestamp'2000-01-01 00:00:00'", settings);
        check("select id, t from local_times where id % 50 = 7", settings);
      }
    }
  }

  /** Writes INT96 timestamps of this and the last centuries as if not parquet-mr had done it. */
  private void writeLocalTimes(boolean dictionary) throws Exception {
    MessageType schema =
        MessageTypeParser.parseMessageType(
            "message m { required int64 id; optional int96 t; optional group n { optional group l"
                + " (LIST) { repeated group list { optional int96 element; } } } }");
    Path path = new Path(address("local-times"), "part-0.parquet");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(path)
            .withType(schema)
            .withConf(new Configuration())
            .withDictionaryEncoding(dictionary)
            .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
            .build()) {
      for (int i = 0; i < 500; i++) {
        Group row = new SimpleGroup(schema).append("id", (long) i);
        if (i % 6 != 5) {
          Binary time = int96(2_415_100 + random.nextInt(60_000), i % 48 * 1_800_000_000_000L);
          row.append("t", time);
          Group list = row.addGroup("n").addGroup("l");
          list.addGroup("list").append("element", time);
          list.addGroup("list");
        }
        writer.write(row);
      }
    }
    java.nio.file.Path file = java.nio.file.Path.of(path.toUri());
    String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
    Files.writeString(file, bytes.replace("parquet-mr", "parquet-xy"), StandardCharsets.ISO_8859_1);
    Files.delete(file.resolveSibling(".part-0.parquet.crc"));
  }

  private static Binary int96(int julianDay, long nanosOfDay) {
    return Binary.fromConstantByteArray(
        ByteBuffer.allocate(12)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(nanosOfDay)
            .putInt(julianDay)
            .array());
  }

  @Test
  void typesOfOtherWritersMatchSpark() throws Exception {
    writeForeign();
    viewForeign();
    check("select id, u8, u16, u32, u64 from foreign");
    check("select id, fixed, uuid, json, enum, bin from foreign");
    check("select id, time from foreign");
    check(
        "select * from foreign where u32 > 100 or u64 = 5",
        Map.of(
            "spark.sql.parquet.datetimeRebaseModeInRead",
            "CORRECTED",
            "spark.sql.parquet.int96RebaseModeInRead",
            "CORRECTED"));
    check("select id, bin from foreign", Map.of("spark.sql.parquet.binaryAsString", "true"));
    view("foreign", "id bigint, nanos bigint");
    check("select id, nanos from foreign", Map.of("spark.sql.legacy.parquet.nanosAsLong", "true"));
    view("foreign", "id bigint, nanos timestamp");
    check("select id, nanos from foreign");
    view("foreign", "id bigint, micros timestamp_ntz, u32 int");
    check("select id, micros from foreign");
    check("select id, u32 from foreign");
  }

  /** Registers the file with columns that Spark could not infer by itself. */
  private void viewForeign() {
    view(
        "foreign",
        "id bigint, d date, micros timestamp, millis timestamp, nanos96 timestamp, u8 smallint,"
            + " u16 int, u32 bigint, u64 decimal(20, 0), fixed binary, uuid binary, json string,"
            + " enum string, bin binary, time bigint");
  }

  private void set(String key, String value) {
    session.conf().set(key, value);
  }

  /** Writes a file through parquet-mr alone: no Spark version, no time zone in the footer. */
  private void writeForeign() throws Exception {
    MessageType schema =
        MessageTypeParser.parseMessageType(
            "message m { required int64 id;"
                + " optional int32 d (DATE); optional int64 micros (TIMESTAMP(MICROS,true));"
                + " optional int64 millis (TIMESTAMP(MILLIS,true));"
                + " optional int64 nanos (TIMESTAMP(NANOS,true)); optional int96 nanos96;"
                + " optional int32 u8 (INTEGER(8,false)); optional int32 u16 (INTEGER(16,false));"
                + " optional int32 u32 (INTEGER(32,false));"
                + " optional int64 u64 (INTEGER(64,false));"
                + " optional fixed_len_byte_array(5) fixed;"
                + " optional fixed_len_byte_array(16) uuid (UUID); optional binary json (JSON);"
                + " optional binary enum (ENUM); optional binary bin;"
                + " optional int64 time (TIME(MICROS,true)); }");
    Path path = new Path(address("foreign"), "part-0.parquet");
    path.getFileSystem(new Configuration()).delete(path, false);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(path).withType(schema).withConf(new Configuration()).build()) {
      for (int i = 0; i < 20; i++) {
        writer.write(foreignRow(schema, i));
      }
    }
  }

  private static Group foreignRow(MessageType schema, int i) {
    Group row = new SimpleGroup(schema).append("id", (long) i);
    if (i % 5 == 4) {
      return row;
    }
    byte[] day = new byte[12];
    day[0] = (byte) i;
    int julianDay = i < 3 ? 2_000_000 : 2_450_000;
    for (int b = 0; b < 4; b++) {
      day[8 + b] = (byte) (julianDay >> (8 * b));
    }
    return row.append("d", i < 3 ? -300_000 + i : 10_000 + i)
        .append("micros", (i < 3 ? -30_000_000_000_000_000L : 1_000_000_000_000_000L) + i)
        .append("millis", (i < 3 ? -30_000_000_000_000L : 1_000_000_000_000L) + i)
        .append("nanos", 1_000_000_000_000_000_000L + i * 999)
        .append("nanos96", Binary.fromConstantByteArray(day))
        .append("u8", i * 13)
        .append("u16", i * 3449)
        .append("u32", i % 2 == 0 ? i : -i)
        .append("u64", i % 2 == 0 ? 5L : -5L)
        .append(
            "fixed",
            Binary.fromConstantByteArray(("fix" + (10 + i)).getBytes(StandardCharsets.UTF_8)))
        .append("uuid", Binary.fromConstantByteArray(new byte[16]))
        .append("json", "{\"a\":" + i + "}")
        .append("enum", i % 2 == 0 ? "EVEN" : "ODD")
        .append("bin", "binary " + i)
        .append("time", i * 1_000_000L);
  }

  @Test
  void modesOfAnotherSpellingAreLeftToSpark() {
    write(session.range(5).toDF(), "spelled", PLAIN);
    session
        .read()
        .option("datetimeRebaseMode", "corrected")
        .parquet(address("spelled"))
        .createOrReplaceTempView("spelled");
    checkFallback("select * from spelled", PLAIN, "the rebase mode is corrected");
  }
}
