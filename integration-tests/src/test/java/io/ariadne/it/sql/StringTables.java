package io.ariadne.it.sql;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Tables of strings at the edges: empty, of 12 and 13 bytes, with NUL bytes, code points of one to
 * four bytes, and invalid UTF-8. Columns: id, s, t, u (strings), n, k (small numbers); s has few
 * values, t mostly others than s, u is long.
 */
final class StringTables {
  private static final List<String> EDGES =
      List.of(
          "",
          " ",
          "  a b  ",
          "a",
          "A",
          "abcdefghijkl",
          "abcdefghijklm",
          "abcdefghijkLm",
          "aXbXc",
          "x%y_z",
          "a\\b",
          "ä",
          "äöüÄÖÜß",
          "日本語のテキスト",
          "\u0000",
          "a\u0000b",
          "zz😀",
          "😀",
          "a😀b",
          "1",
          "-1.5",
          "xxyxyxxy",
          "hello world",
          "Hello World, this is a long string",
          "ǅ İ ı ﬁ",
          "tab\tand\nline",
          "aaaaaaaaaaaaaaaaaaaaaaaaab");

  /** What is not UTF-8, with enough behind it for the longest character. */
  private static final List<String> INVALID =
      List.of("c3616263", "e282616263", "f09f98616263", "80808061", "ff6162", "eda080616263");

  private static final StructType HEX =
      new StructType()
          .add("id", DataTypes.IntegerType)
          .add("s", DataTypes.StringType)
          .add("t", DataTypes.StringType)
          .add("u", DataTypes.StringType)
          .add("n", DataTypes.IntegerType)
          .add("k", DataTypes.IntegerType);

  private static final int NULL_ONE_IN = 7;
  private static final int MAX_LENGTH = 90;
  private final Random random;

  StringTables(long seed) {
    this.random = new Random(seed);
  }

  /** Writes a table of files with or without dictionaries, and makes a view of it. */
  void register(SparkSession session, String name, Path path, int rows, boolean hasDictionaries) {
    List<Row> data = new ArrayList<>();
    for (int id = 0; id < rows; id++) {
      data.add(
          RowFactory.create(
              id,
              orNull(edge()),
              orNull(random.nextBoolean() ? edge() : text(12)),
              orNull(text(MAX_LENGTH)),
              random.nextInt(NULL_ONE_IN) == 0 ? null : random.nextInt(16) - 6,
              random.nextInt(9)));
    }
    session
        .createDataFrame(data, HEX)
        .selectExpr(
            "id",
            "cast(unhex(s) as string) s",
            "cast(unhex(t) as string) t",
            "cast(unhex(u) as string) u",
            "n",
            "k")
        .coalesce(1)
        .write()
        .option("parquet.enable.dictionary", Boolean.toString(hasDictionaries))
        .parquet(path.toString());
    session.read().parquet(path.toString()).createOrReplaceTempView(name);
  }

  private String orNull(String hex) {
    return random.nextInt(NULL_ONE_IN) == 0 ? null : hex;
  }

  private String edge() {
    int choice = random.nextInt(EDGES.size() + INVALID.size());
    return choice < EDGES.size() ? hex(EDGES.get(choice)) : INVALID.get(choice - EDGES.size());
  }

  private String text(int maxLength) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(maxLength + 1);
    while (text.length() < length) {
      text.append(
          random.nextInt(8) == 0
              ? EDGES.get(random.nextInt(EDGES.size()))
              : String.valueOf((char) ('a' + random.nextInt(4))));
    }
    return hex(text.toString());
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }
}
