package io.ariadne.rules.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.Metadata;
import org.junit.jupiter.api.Test;
import scala.Option;

/**
 * Casts of strings to other types and back, in all modes, of plain and dictionary columns, with and
 * without nulls, in zones with changes of the clock, against Spark's interpreter. {@code
 * -Dariadne.test.castRounds=N} looks at more batches.
 */
class TestStringCasts {
  private static final int MEMORY = 1 << 28;
  private static final int ROUNDS = Integer.getInteger("ariadne.test.castRounds", 12);
  private static final int MAX_ROWS = 90;
  private static final int MAX_ENTRIES = 10;

  private static final List<String> ZONES =
      List.of("UTC", "America/Los_Angeles", "Asia/Kathmandu", "Australia/Lord_Howe", "+03:30");

  private static final List<DataType> TYPES =
      List.of(
          DataTypes.BooleanType,
          DataTypes.ByteType,
          DataTypes.ShortType,
          DataTypes.IntegerType,
          DataTypes.LongType,
          DataTypes.createDecimalType(5, 2),
          DataTypes.createDecimalType(10, 0),
          DataTypes.createDecimalType(18, 9),
          DataTypes.createDecimalType(38, 0),
          DataTypes.createDecimalType(38, 10),
          DataTypes.createDecimalType(38, 38),
          DataTypes.DateType,
          DataTypes.TimestampType,
          DataTypes.TimestampNTZType);

  private final long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final CastStrings strings = new CastStrings(random);
  private final CaseValues values = new CaseValues(random);

  @Test
  void castsStringsAsSpark() {
    for (DataType type : TYPES) {
      check(DataTypes.StringType, type, () -> strings());
    }
    for (DataType type : List.of(DataTypes.DoubleType, DataTypes.FloatType)) {
      check(DataTypes.StringType, type, () -> strings());
      check(DataTypes.StringType, type, () -> () -> bytes(strings.nextFloating()));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void castsToStringsAsSpark() {
    for (DataType type : TYPES) {
      check(type, DataTypes.StringType, () -> () -> value(type));
    }
    check(DataTypes.DoubleType, DataTypes.StringType, () -> this::number);
    check(DataTypes.FloatType, DataTypes.StringType, () -> () -> (float) number());
  }

  /** Of any bits, with few digits, or with few bits. */
  private double number() {
    return switch (random.nextInt(4)) {
      case 0 -> Double.longBitsToDouble(random.nextLong());
      case 1 -> Float.intBitsToFloat(random.nextInt());
      case 2 -> random.nextInt(2_000_000) / Math.pow(10, random.nextInt(12));
      default -> random.nextInt() * Math.scalb(1.0, random.nextInt(160) - 90);
    };
  }

  /** Few batches have strings that kernels do not know: those are given to Spark's code whole. */
  private Supplier<Object> strings() {
    boolean isUsual = random.nextInt(4) > 0;
    return () -> strings.next(isUsual).getBytes(StandardCharsets.UTF_8);
  }

  private Object value(DataType type) {
    boolean isExtreme = random.nextInt(4) == 0;
    if (isExtreme && type.equals(DataTypes.DateType)) {
      return random.nextInt() >> random.nextInt(16);
    }
    boolean isTime =
        type.equals(DataTypes.TimestampType) || type.equals(DataTypes.TimestampNTZType);
    if (isExtreme && isTime) {
      return random.nextInt(9) == 0 ? Long.MIN_VALUE : random.nextLong() >> random.nextInt(30);
    }
    if (isExtreme && type instanceof DecimalType decimal) {
      BigInteger bound = BigInteger.TEN.pow(random.nextInt(decimal.precision() + 1));
      BigInteger absolute = new BigInteger(130, random).mod(bound);
      return random.nextBoolean() ? absolute : absolute.negate();
    }
    return values.value(SparkTypes.fromSpark(type));
  }

  private void check(DataType from, DataType to, Supplier<Supplier<Object>> batches) {
    int compared = 0;
    try (MemoryPool pool = MemoryPools.host("casts", MEMORY);
        Backend backend = HostBackend.open();
        ExpressionComparison comparison = new ExpressionComparison(backend, pool)) {
      for (int i = 0; i < ROUNDS * 3; i++) {
        ExpressionCase one = cast(from, to, i % 3);
        ExpressionComparison.Verdict verdict =
            comparison.compare(one, batch(one, batches.get(), pool));
        String what = "seed " + seed + ": " + one;
        assertTrue(verdict.isKernel(), what);
        assertEquals(null, verdict.difference(), what);
        compared += verdict.values();
      }
    }
    assertTrue(compared > 0, () -> from + " to " + to + " was never compared with a value");
  }

  private ExpressionCase cast(DataType from, DataType to, int mode) {
    AttributeReference column =
        new AttributeReference(
            "c0",
            from,
            true,
            Metadata.empty(),
            NamedExpression$.MODULE$.newExprId(),
            ScalaCollections.seq(List.of()));
    String zone = ZONES.get(random.nextInt(ZONES.size()));
    Cast cast =
        new Cast(
            column,
            to,
            Option.apply(zone),
            mode == 2 ? EvalMode.TRY() : EvalMode.fromBoolean(mode == 1));
    return new ExpressionCase("cast", cast, List.of(column), mode == 1, zone);
  }

  private RecordBatch batch(ExpressionCase one, Supplier<Object> values, MemoryPool pool) {
    AttributeReference column = one.columns().get(0);
    io.ariadne.columnar.type.DataType type = SparkTypes.fromSpark(column.dataType());
    int rowCount = 1 + random.nextInt(MAX_ROWS);
    int nulls = random.nextInt(2) * 5;
    ColumnVector data =
        random.nextInt(3) == 0
            ? coded(type, rowCount, nulls, values, pool)
            : plain(type, rowCount, nulls, values, pool);
    return new RecordBatch(ExpressionComparison.schema(one.columns()), rowCount, List.of(data), 0);
  }

  private ColumnVector plain(
      io.ariadne.columnar.type.DataType type,
      int rowCount,
      int nulls,
      Supplier<Object> values,
      MemoryPool pool) {
    List<Object> all = new ArrayList<>();
    for (int row = 0; row < rowCount; row++) {
      all.add(nulls > 0 && random.nextInt(nulls) == 0 ? null : values.get());
    }
    try (ColumnBuilder builder = ColumnBuilder.create(type, pool)) {
      all.forEach(builder::appendValue);
      return builder.build();
    }
  }

  private ColumnVector coded(
      io.ariadne.columnar.type.DataType type,
      int rowCount,
      int nulls,
      Supplier<Object> values,
      MemoryPool pool) {
    int entryCount = 1 + random.nextInt(MAX_ENTRIES);
    Dictionary dictionary = new Dictionary(plain(type, entryCount, 0, values, pool));
    ColumnVector codes =
        plain(PrimitiveType.INT32, rowCount, nulls, () -> random.nextInt(entryCount), pool);
    return ColumnVector.ofDictionary(
        dictionary, rowCount, codes.data(), codes.validity(), codes.nullCount());
  }
}
