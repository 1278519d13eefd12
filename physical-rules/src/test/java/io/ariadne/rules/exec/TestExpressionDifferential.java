package io.ariadne.rules.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.bridge.vector.AriadneColumnVector;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.rules.expression.Conversion;
import io.ariadne.rules.expression.ReplayTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import scala.runtime.AbstractFunction0;

/**
 * Every function that Spark has registered, and casts, of every combination of argument types, in
 * both modes, with and without nulls, with literals and columns, plain and dictionary encoded,
 * against Spark's interpreter.
 *
 * <p>Runs with {@code -Dariadne.test.expressions=true}. Every signature that a kernel computes is
 * compared each time; of what goes through the bridge a few. {@code
 * -Dariadne.test.expressionRows=N} goes on until N rows were compared, and {@code
 * -Dariadne.test.functions=a,b} looks at some functions only.
 */
@EnabledIfSystemProperty(named = "ariadne.test.expressions", matches = "true")
class TestExpressionDifferential {
  private static final int MEMORY = 1 << 28;
  private static final int MAX_ROWS = Integer.getInteger("ariadne.test.expressionBatch", 300);
  private static final int BRIDGED_CASES = 150;
  private static final int MAX_REPORTS = 60;
  private static final int ROUNDS_FOR_VALUES = 20;

  /** Functions whose result, or a number on the way to it, is as long as a number says. */
  static final Set<String> LONG_RESULTS =
      Set.of(
          "array_repeat",
          "sequence",
          "repeat",
          "space",
          "lpad",
          "rpad",
          "round",
          "bround",
          "format_number");

  /**
   * Functions of which large numbers tell little, or end the JVM: Spark's interpreter reads outside
   * of the array for {@code element_at(array, -2147483648)}.
   */
  private static final Set<String> OF_SMALL_NUMBERS =
      Set.of("split_part", "substring_index", "overlay", "chr", "element_at", "try_element_at");

  /** Functions that are also tried with strings that are no UTF-8. */
  private static final Set<String> OF_ANY_BYTES =
      Set.of(
          "split_part",
          "substring_index",
          "translate",
          "concat_ws",
          "initcap",
          "unbase64",
          "unhex",
          "encode",
          "decode",
          "if",
          "coalesce",
          "nvl",
          "greatest",
          "least");

  private static final List<String> ZONES =
      List.of("UTC", "America/Los_Angeles", "Asia/Kathmandu", "Australia/Lord_Howe");

  private static final List<String> UNITS =
      List.of("YEAR", "quarter", "MON", "week", "DD", "HOUR", "minute", "SECOND", "none");

  /** What a function's literal of a string says most of the time, where chance seldom finds it. */
  private static final Map<String, List<String>> HINTS =
      Map.ofEntries(
          Map.entry("trunc", UNITS),
          Map.entry("date_trunc", UNITS),
          Map.entry("next_day", List.of("MON", "sunday", "xx")),
          Map.entry("from_utc_timestamp", ZONES),
          Map.entry("to_utc_timestamp", ZONES),
          Map.entry("convert_timezone", ZONES),
          Map.entry("date_format", List.of("yyyy-MM-dd", "HH:mm:ss.SSS", "EEEE")),
          Map.entry("from_unixtime", List.of("yyyy-MM-dd HH:mm:ss", "yyyy")),
          Map.entry("like", List.of("a%", "%b%", "%c", "a_c", "_", "%", "", "%b%c", "\\%%", "a%b")),
          Map.entry("encode", List.of("UTF-8", "utf-16")),
          Map.entry("decode", List.of("UTF-8", "utf-8", "utf-16")),
          Map.entry("split_part", List.of("a", "b", " ", "é", "ab", "")),
          Map.entry("substring_index", List.of("a", "b", " ", "é", "aa", "")),
          Map.entry("translate", List.of("abc", "aé€", "", "𝄞x", "a")),
          Map.entry("unbase64", List.of("YWJj", "YQ==", "YQ", "Y", "Y=", "YW Jj", "=", "")),
          Map.entry("unhex", List.of("4a4B", "a", "xyz", "", "0g")));

  private final long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Random choices = new Random(seed);
  private final CaseValues values = new CaseValues(random);
  private final Map<String, String> differences = new TreeMap<>();
  private final Map<String, Integer> compared = new TreeMap<>();
  private MemoryPool pool;
  private ExpressionComparison comparison;
  private long rows;
  private int cases;
  private int vacuous;
  private int round;
  private List<String> hints = List.of();
  private long deadline = Long.MAX_VALUE;
  private String latest = "";

  /**
   * A function with argument types.
   *
   * @param literals which arguments are literals, one bit for each
   */
  private record Signature(String name, List<DataType> types, int literals) {}

  @Test
  void everyFunctionOfEveryTypeEqualsSpark() {
    System.out.println("replay with -Dariadne.test.seed=" + seed);
    try (MemoryPool memory = MemoryPools.host("expressions", MEMORY);
        Backend backend = HostBackend.open();
        ExpressionComparison compares = new ExpressionComparison(backend, memory)) {
      pool = memory;
      comparison = compares;
      run();
    }
    assertTrue(differences.isEmpty(), () -> "seed " + seed + ":\n" + report());
    if (deadline == Long.MAX_VALUE) {
      assertEquals(List.of(), neverCompared(), "kernels were never compared with a value");
    }
  }

  private void run() {
    List<Signature> kernels = new ArrayList<>();
    List<Signature> bridged = new ArrayList<>();
    long start = System.nanoTime();
    under(false, "UTC", () -> gather(kernels, bridged));
    System.out.printf(
        "%d signatures with kernels, %d bridged, gathered in %d ms%n",
        kernels.size(), bridged.size(), (System.nanoTime() - start) / 1_000_000);
    kernels.forEach(signature -> compared.put(signature.name(), 0));
    long seconds = Long.getLong("ariadne.test.expressionSeconds", 0);
    if (seconds > 0) {
      deadline = System.nanoTime() + seconds * 1_000_000_000L;
      Collections.shuffle(kernels, choices);
    }
    long wanted = Long.getLong("ariadne.test.expressionRows", 0);
    do {
      round++;
      for (boolean isAnsi : new boolean[] {false, true}) {
        String zone = ZONES.get(choices.nextInt(ZONES.size()));
        under(isAnsi, zone, () -> kernels.forEach(signature -> check(signature, isAnsi, zone)));
        under(
            isAnsi,
            zone,
            () -> {
              for (int i = 0; i < BRIDGED_CASES && !bridged.isEmpty(); i++) {
                check(bridged.get(choices.nextInt(bridged.size())), isAnsi, zone);
              }
            });
      }
    } while (rows > 0 && rows < wanted && System.nanoTime() < deadline);
    checkThoseWithoutValues(kernels);
    System.out.printf(
        "%d cases, %d rows, %d cases without a value, %d ms%n",
        cases, rows, vacuous, (System.nanoTime() - start) / 1_000_000);
    System.out.println("values of kernels: " + compared);
  }

  /** A function with few signatures may have drawn nulls alone: it draws again. */
  private void checkThoseWithoutValues(List<Signature> kernels) {
    for (int i = 0; i < ROUNDS_FOR_VALUES && !neverCompared().isEmpty(); i++) {
      round++;
      boolean isAnsi = i % 2 == 1;
      List<String> names = neverCompared();
      under(
          isAnsi,
          ZONES.get(0),
          () ->
              kernels.stream()
                  .filter(signature -> names.contains(signature.name()))
                  .forEach(signature -> check(signature, isAnsi, ZONES.get(0))));
    }
  }

  private void gather(List<Signature> kernels, List<Signature> bridged) {
    ExpressionCases makes = new ExpressionCases(random, this::literal);
    String only = System.getProperty("ariadne.test.functions", "");
    for (String name : ExpressionCases.names()) {
      if (!only.isEmpty() && !List.of(only.split(",")).contains(name)) {
        continue;
      }
      random.setSeed(seed + name.hashCode());
      hints = HINTS.getOrDefault(name, List.of());
      for (List<DataType> types : makes.signatures(name)) {
        gather(makes, name, types, kernels, bridged);
      }
    }
  }

  /** Looks at calls of columns alone, then at those of one column and literals. */
  private void gather(
      ExpressionCases makes,
      String name,
      List<DataType> types,
      List<Signature> kernels,
      List<Signature> bridged) {
    int all = (1 << types.size()) - 1;
    Optional<Signature> anyBridged = Optional.empty();
    boolean isKernel = false;
    for (int column = -1; column < types.size(); column++) {
      Signature signature = new Signature(name, types, column < 0 ? 0 : all & ~(1 << column));
      if (column >= 0 && signature.literals() == 0) {
        continue;
      }
      Optional<Conversion> conversion =
          makes
              .make(name, types, signature.literals(), false, "UTC")
              .map(one -> ExpressionComparison.convert(one, new ReplayTable()))
              .filter(one -> one.translated().isPresent());
      if (conversion.map(one -> one.tag().computesInKernel()).orElse(false)) {
        kernels.add(signature);
        isKernel = true;
      } else if (conversion.isPresent() && anyBridged.isEmpty()) {
        anyBridged = Optional.of(signature);
      }
    }
    if (!isKernel) {
      anyBridged.ifPresent(bridged::add);
    }
  }

  /** Makes a case as its signature says, now and then with other literals and columns. */
  private Optional<ExpressionCase> made(
      ExpressionCases makes, Signature signature, boolean isAnsi, String zone) {
    int masks = 1 << signature.types().size();
    int first = random.nextInt(6) == 0 ? random.nextInt(masks) : signature.literals();
    for (int i = 0; i < masks; i++) {
      Optional<ExpressionCase> one =
          makes.make(signature.name(), signature.types(), first ^ i, isAnsi, zone);
      if (one.isPresent()) {
        return one;
      }
    }
    return Optional.empty();
  }

  /** What a case looks like depends on its signature alone, not on what else there is. */
  private void reseed(Signature signature, boolean isAnsi) {
    random.setSeed(seed + 31L * round + signature.toString().hashCode() + (isAnsi ? 1L << 40 : 0));
  }

  private void check(Signature signature, boolean isAnsi, String zone) {
    if (System.nanoTime() > deadline) {
      return;
    }
    if (Boolean.getBoolean("ariadne.test.expressionNames") && !latest.equals(signature.name())) {
      latest = signature.name();
      System.out.println(latest + " from case " + cases);
    }
    reseed(signature, isAnsi);
    ExpressionCases makes = new ExpressionCases(random, this::literal);
    hints = HINTS.getOrDefault(signature.name(), List.of());
    values.keepSmall(
        LONG_RESULTS.contains(signature.name())
            || OF_SMALL_NUMBERS.contains(signature.name())
            || isSubstringOfBytes(signature));
    values.damageStrings(OF_ANY_BYTES.contains(signature.name()));
    Optional<ExpressionCase> one = made(makes, signature, isAnsi, zone);
    if (one.isEmpty() || differences.containsKey(signature.name())) {
      return;
    }
    String text = one.get().toString();
    try {
      ExpressionComparison.Verdict verdict = comparison.compare(one.get(), batch(one.get()));
      if (verdict == null) {
        return;
      }
      cases++;
      vacuous += verdict.values() == 0 ? 1 : 0;
      if (verdict.isKernel()) {
        compared.merge(signature.name(), verdict.values(), Integer::sum);
      }
      if (verdict.difference() != null) {
        differences.put(
            signature.name(),
            (verdict.isKernel() ? "kernel " : "bridge ") + text + "\n  " + verdict.difference());
      }
    } catch (AssertionError e) {
      return; // Spark's own: an expression that its analyzer would not have made
    } catch (Exception e) {
      differences.put(
          signature.name(), text + "\n  " + e + " at " + List.of(e.getStackTrace()).subList(0, 4));
    }
  }

  /** Spark makes two gigabytes of zeros for {@code substring(bytes, -1, -2147483648)}. */
  private static boolean isSubstringOfBytes(Signature signature) {
    return signature.name().startsWith("substr")
        && signature.types().get(0).equals(DataTypes.BinaryType);
  }

  private RecordBatch batch(ExpressionCase one) {
    int rowCount = 1 + random.nextInt(MAX_ROWS);
    rows += rowCount;
    List<ColumnVector> columns = new ArrayList<>();
    for (AttributeReference column : one.columns()) {
      int nulls = random.nextInt(12) == 0 ? 1 : new int[] {0, 2, 6}[random.nextInt(3)];
      boolean isNested = column.dataType().defaultSize() > 0 && isNested(column.dataType());
      columns.add(
          values.column(
              SparkTypes.fromSpark(column.dataType()),
              rowCount,
              nulls,
              !isNested && random.nextInt(3) == 0,
              pool));
    }
    return new RecordBatch(ExpressionComparison.schema(one.columns()), rowCount, columns, 0);
  }

  private static boolean isNested(DataType type) {
    return type instanceof org.apache.spark.sql.types.ArrayType
        || type instanceof org.apache.spark.sql.types.MapType
        || type instanceof org.apache.spark.sql.types.StructType;
  }

  private Literal literal(DataType type) {
    if (random.nextInt(20) == 0) {
      return Literal.create(null, type);
    }
    if (type.equals(DataTypes.StringType) && !hints.isEmpty() && random.nextInt(6) > 0) {
      return Literal.create(hints.get(random.nextInt(hints.size())), type);
    }
    try (ColumnVector one = values.column(SparkTypes.fromSpark(type), 1, 0, false, pool);
        AriadneColumnVector view = AriadneColumnVector.viewOf(one, type)) {
      org.apache.spark.sql.vectorized.ColumnarBatchRow row =
          new org.apache.spark.sql.vectorized.ColumnarBatchRow(
              new org.apache.spark.sql.vectorized.ColumnVector[] {view});
      Object value = CatalystTypeConverters.convertToScala(row.copy().get(0, type), type);
      return Literal.create(value, type);
    }
  }

  private List<String> neverCompared() {
    return compared.entrySet().stream()
        .filter(entry -> entry.getValue() == 0 && !differences.containsKey(entry.getKey()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private String report() {
    StringBuilder text = new StringBuilder();
    differences.values().stream().limit(MAX_REPORTS).forEach(d -> text.append(d).append('\n'));
    return text.toString();
  }

  private static void under(boolean isAnsi, String zone, Runnable work) {
    SQLConf conf = new SQLConf();
    conf.setConfString("spark.sql.ansi.enabled", Boolean.toString(isAnsi));
    conf.setConfString("spark.sql.session.timeZone", zone);
    SQLConf.withExistingConf(
        conf,
        new AbstractFunction0<Void>() {
          @Override
          public Void apply() {
            work.run();
            return null;
          }
        });
  }
}
