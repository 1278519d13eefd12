package io.ariadne.it.scan;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ariadne.it.sql.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests files that resemble Parquet but stay with Spark: formats built on Parquet, encrypted files,
 * VARIANT columns, deprecated encodings.
 */
class FilesOfOthersIT extends AbstractScanIT {
  private static final String FACTORY =
      "org.apache.parquet.crypto.keytools.PropertiesDrivenCryptoFactory";

  @Test
  void formatThatExtendsParquetMatchesSpark() {
    write(session.range(0, 300, 1, 1).selectExpr("id", "id % 7 as x"), "lookalike", Map.of());
    session
        .read()
        .schema("id bigint, x bigint")
        .format(LookalikeFormat.class.getName())
        .load(address("lookalike"))
        .createOrReplaceTempView("lookalike");
    checkFallback(
        "select x, count(*), sum(id + 1) from lookalike group by x",
        PLAIN,
        "the format is LookalikeFormat");
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void encryptedFilesMatchSpark(String plainFooter) {
    Map<String, String> keys = new HashMap<>();
    keys.put("parquet.crypto.factory.class", FACTORY);
    keys.put("parquet.encryption.kms.client.class", TestingKms.class.getName());
    keys.put("parquet.encryption.footer.key", "footer");
    keys.put("parquet.encryption.column.keys", "secret: s");
    keys.put("parquet.encryption.plaintext.footer", plainFooter);
    write(session.range(0, 300, 1, 1).selectExpr("id", "concat('v', id) as s"), "secrets", keys);
    session
        .read()
        .options(keys)
        .schema("id bigint, s string")
        .parquet(address("secrets"))
        .createOrReplaceTempView("known");
    checkFallback("select id, s from known where id > 7", PLAIN, "the files may be encrypted");
    view("secrets", "id bigint, s string");
    checkFails("select id, s from secrets", PLAIN);
    check("select id, s from secrets", Map.of("spark.sql.files.ignoreCorruptFiles", "true"));
    if (plainFooter.equals("true")) {
      check("select id from secrets");
      check("select sum(id) from secrets where id > 100");
    } else {
      checkFails("select id from secrets", PLAIN);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void variantsMatchSpark(String shredded) {
    assumeTrue(!session.version().startsWith("3."), "Spark 3.5 has no VARIANT");
    session.conf().set("spark.sql.variant.writeShredding.enabled", shredded);
    session.conf().set("spark.sql.variant.forceShreddingSchemaForTest", "a bigint, b string");
    write(
        session.sql(
            "select id, parse_json('{\"a\":' || id || ',\"b\":\"t' || id || '\"}') as v"
                + " from range(0, 200, 1, 1)"),
        "variants",
        Map.of());
    session.conf().unset("spark.sql.variant.writeShredding.enabled");
    session.conf().unset("spark.sql.variant.forceShreddingSchemaForTest");
    session
        .read()
        .schema("id bigint, v variant")
        .parquet(address("variants"))
        .createOrReplaceTempView("variants");
    Map<String, String> allowed = Map.of("spark.sql.variant.allowReadingShredded", "true");
    checkFallback("select id, cast(v as string) from variants", allowed, "VARIANT");
    checkFallback("select variant_get(v, '$.a', 'int') from variants", allowed, "VARIANT");
    checkFallback(
        "select sum(variant_get(v, '$.a', 'int')) from variants where id > 9", allowed, "VARIANT");
    check("select id from variants where id > 5");
  }

  /** Whether the annotation of a group as VARIANT lets it be read as a struct is a setting. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void variantsAsStructsMatchSpark(String isAnnotated) {
    assumeTrue(!session.version().startsWith("3."), "Spark 3.5 has no VARIANT");
    session.conf().set("spark.sql.parquet.annotateVariantLogicalType", isAnnotated);
    String variant = "parse_json('{\"a\":' || id || '}')";
    write(
        session
            .range(0, 200, 1, 1)
            .selectExpr(
                "id", variant + " v", "array(" + variant + ") l", "map(id, " + variant + ") m"),
        "annotated",
        Map.of());
    session.conf().unset("spark.sql.parquet.annotateVariantLogicalType");
    String struct = "struct<value binary, metadata binary>";
    view("annotated", "id bigint, v %1$s, l array<%1$s>, m map<bigint, %1$s>".formatted(struct));
    Map<String, String> ignoring = Map.of("spark.sql.parquet.ignoreVariantAnnotation", "true");
    for (String sql :
        List.of("select * from annotated", "select v.value from annotated where id > 9")) {
      check(sql, ignoring);
      if (isAnnotated.equals("true")) {
        checkFails(sql, PLAIN);
      } else {
        check(sql);
      }
    }
    check("select id from annotated");
  }

  /** Spark's vectorised reader does not read them either. */
  @Test
  void levelsInTheDeprecatedEncodingFailAsInSpark() throws IOException {
    write(
        session.range(0, 64, 1, 1).selectExpr("if(id % 3 = 0, null, id) as x"),
        "bits",
        Map.of(
            "compression", "uncompressed",
            "parquet.enable.dictionary", "false",
            "parquet.writer.version", "v1"));
    Path file;
    try (Stream<Path> found = Files.list(folder.resolve("bits"))) {
      file = found.filter(f -> f.toString().endsWith(".parquet")).findFirst().orElseThrow();
    }
    String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
    // Of the data page's header: PLAIN values, definition levels in RLE, which becomes BIT_PACKED.
    String patched =
        bytes.replaceFirst("\\x15\\x00\\x15\\x06\\x15", "\u0015\u0000\u0015\u0008\u0015");
    assertTrue(!patched.equals(bytes), "no such header");
    Files.writeString(file, patched, StandardCharsets.ISO_8859_1);
    Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
    view("bits", "x bigint");
    checkFails("select x from bits", PLAIN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"orc", "csv", "json", "text"})
  void restOfThePlanIsAriadnes(String format) {
    String columns =
        format.equals("text") ? "concat('w', id % 9) as s" : "id, concat('w', id) as s";
    session
        .range(0, 900, 1, 1)
        .selectExpr(columns.split(", (?=c)"))
        .write()
        .mode(SaveMode.Overwrite)
        .format(format)
        .save(address("other-" + format));
    session
        .read()
        .format(format)
        .schema(format.equals("text") ? "s string" : "id bigint, s string")
        .load(address("other-" + format))
        .createOrReplaceTempView("others");
    String query = "select s, count(*) from others where s > 'w3' group by s";
    checkFallback(query, PLAIN, "the format is ");
    String plan = Outcome.of(session, query).plan().toString();
    assertTrue(plan.contains("AriadneHashAggregate") && plan.contains("AriadneImport"), plan);
  }
}
