package io.ariadne.it.fuzz;

import io.ariadne.it.sql.EdgeValues;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;

/** Values of any kind: extreme ones, or mild ones with which few operations overflow. */
final class FuzzValues {
  private static final List<String> WORDS =
      List.of("a", "b", "abc", "k", "1", "12", "2020-01-02", "a,b", "abcdefghijklmnop", "A b");

  private final Random random;
  private final EdgeValues edges;
  private final boolean isMild;

  FuzzValues(Random random, boolean isMild) {
    this.random = random;
    this.edges = new EdgeValues(random);
    this.isMild = isMild;
  }

  /** Returns a value, as Spark takes it for a column of the type. */
  Object value(Kind kind, DataType type) {
    return switch (kind) {
      case BOOLEAN -> random.nextBoolean();
      case BYTE -> (byte) integer(Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SHORT -> (short) integer(Short.MIN_VALUE, Short.MAX_VALUE);
      case INT -> (int) integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
      case LONG -> integer(Long.MIN_VALUE, Long.MAX_VALUE);
      case FLOAT -> (float) floating();
      case DOUBLE -> floating();
      case DECIMAL -> decimal((DecimalType) type);
      case DATE -> date();
      case TIMESTAMP -> timestamp().toInstant(ZoneOffset.UTC);
      case NTZ -> timestamp();
      case YEARS -> Period.ofMonths((int) integer(-100_000, 100_000)).normalized();
      case DAYS -> Duration.ofNanos(integer(-1_000_000_000_000L, 1_000_000_000_000L) * 1000);
      case STRING -> word();
      case BINARY -> word().getBytes(StandardCharsets.UTF_8);
      case INTS -> list(Kind.INT);
      case STRINGS -> list(Kind.STRING);
      case STRUCT -> RowFactory.create(orNull(Kind.INT), orNull(Kind.STRING));
      case STRUCTS -> list(Kind.STRUCT);
      case MAP -> map();
    };
  }

  private long integer(long min, long max) {
    return isMild ? random.nextInt(24) - 4 : edges.integer(min, max);
  }

  private double floating() {
    return isMild ? (random.nextInt(200) - 50) * 0.25 : edges.floating();
  }

  private BigDecimal decimal(DecimalType type) {
    return isMild
        ? BigDecimal.valueOf(random.nextInt(5000) - 500, 2).setScale(type.scale())
        : edges.decimal(type.precision(), type.scale());
  }

  private LocalDate date() {
    return isMild ? LocalDate.of(1995, 12, 20).plusDays(random.nextInt(120)) : edges.date();
  }

  private LocalDateTime timestamp() {
    return isMild ? date().atStartOfDay().plusMinutes(random.nextInt(1440)) : edges.timestamp();
  }

  private String word() {
    return isMild ? WORDS.get(random.nextInt(WORDS.size())) : edges.word();
  }

  private Object orNull(Kind kind) {
    return random.nextInt(5) == 0 ? null : value(kind, kind.type());
  }

  private List<Object> list(Kind element) {
    List<Object> elements = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      elements.add(orNull(element));
    }
    return elements;
  }

  private Map<Object, Object> map() {
    Map<Object, Object> entries = new LinkedHashMap<>();
    for (String key : List.of("k", "a", "l")) {
      if (random.nextBoolean()) {
        entries.put(key, orNull(Kind.INT));
      }
    }
    return entries;
  }
}
