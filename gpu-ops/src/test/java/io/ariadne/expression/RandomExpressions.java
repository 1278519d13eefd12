package io.ariadne.expression;

import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Random expressions that {@link FunctionSupport} accepts, over the columns of a schema. */
final class RandomExpressions {
  private static final int ATTEMPTS = 200;
  private static final int MAX_SCALE = 12;

  private static final List<String> ALL_ZONES =
      ZoneId.getAvailableZoneIds().stream().sorted().toList();

  private final RandomBatches values;
  private final Random random;
  private final Schema schema;
  private final EvaluationMode mode;
  private final List<DataType> types;
  private int nextOrigin;

  RandomExpressions(RandomBatches values, Schema schema, EvaluationMode mode) {
    this.values = values;
    this.random = values.random();
    this.schema = schema;
    this.mode = mode;
    this.types =
        RandomBatches.flatTypes().stream()
            .filter(type -> TypeKind.FIXED_WIDTH.contains(TypeKind.of(type)))
            .toList();
  }

  /** Returns a type without characters. */
  DataType type() {
    if (random.nextInt(3) == 0) {
      return decimalType();
    }
    return types.get(random.nextInt(types.size()));
  }

  private DecimalType decimalType() {
    int precision = 1 + random.nextInt(38);
    return new DecimalType(precision, random.nextInt(Math.min(precision, MAX_SCALE) + 1));
  }

  /** Returns an expression of a type, at most some calls deep. */
  Expression expression(DataType type, int depth) {
    if (depth > 0) {
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        Call call = call(type, depth);
        if (call != null && FunctionSupport.reasonAgainst(call).isEmpty()) {
          return call;
        }
      }
    }
    return leaf(type);
  }

  private Expression leaf(DataType type) {
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < schema.columnCount(); i++) {
      if (schema.field(i).type().equals(type)) {
        columns.add(new ColumnReference(i, type, schema.field(i).nullable()));
      }
    }
    if (!columns.isEmpty() && random.nextInt(5) != 0) {
      return columns.get(random.nextInt(columns.size()));
    }
    return literal(type);
  }

  private Expression literal(DataType type) {
    boolean isNull = random.nextInt(8) == 0;
    Object value = isNull ? null : values.value(type, NullPattern.NONE);
    if (value instanceof BigDecimal decimal) {
      value = decimal.unscaledValue();
    }
    return new Literal((Serializable) value, type);
  }

  private Call call(DataType type, int depth) {
    Function[] functions = Function.values();
    Function function = functions[random.nextInt(functions.length)];
    List<Expression> arguments = arguments(function, type, depth - 1);
    if (arguments == null) {
      return null;
    }
    int origin = nextOrigin++ % 1000;
    return new Call(function, arguments, type, true, mode, origin);
  }

  /** Returns arguments that may suit a function, or null when its result is of another type. */
  private List<Expression> arguments(Function function, DataType type, int depth) {
    boolean isBoolean = type == PrimitiveType.BOOLEAN;
    return switch (function) {
      case EQUAL, NULL_SAFE_EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL ->
          isBoolean ? pair(random.nextInt(4) == 0 ? text() : type(), depth) : null;
      case STARTS_WITH, ENDS_WITH, CONTAINS -> isBoolean ? pair(PrimitiveType.STRING, depth) : null;
      case LIKE -> isBoolean ? List.of(expression(PrimitiveType.STRING, depth), pattern()) : null;
      case CHARACTER_LENGTH, OCTET_LENGTH, BIT_LENGTH -> List.of(expression(text(), depth));
      case CODE_POINT -> List.of(expression(PrimitiveType.STRING, depth));
      case POSITION, SUBSTRING -> part(function, depth);
      case TRIM, TRIM_LEFT, TRIM_RIGHT ->
          List.of(
              expression(PrimitiveType.STRING, depth),
              new Literal(new byte[] {'a', 'b', ' '}, PrimitiveType.STRING));
      case AND, OR -> isBoolean ? pair(type, depth) : null;
      case NOT -> isBoolean ? List.of(expression(type, depth)) : null;
      case IS_NULL, IS_NOT_NULL, IS_NAN -> isBoolean ? List.of(expression(type(), depth)) : null;
      case IN -> isBoolean ? in(depth) : null;
      case CASE_WHEN -> caseWhen(type, depth);
      case COALESCE -> List.of(expression(type, depth), expression(type, depth));
      case CAST, REINTERPRET, CHECK_OVERFLOW -> List.of(expression(type(), depth));
      case UNSCALED_VALUE -> List.of(expression(decimalType(), depth));
      case MAKE_DECIMAL -> List.of(expression(PrimitiveType.INT64, depth));
      case YEAR, QUARTER, MONTH, DAY_OF_MONTH, DAY_OF_YEAR ->
          List.of(expression(PrimitiveType.DATE32, depth));
      case DAY_OF_WEEK, WEEK_DAY, WEEK_OF_YEAR, YEAR_OF_WEEK, LAST_DAY ->
          List.of(expression(PrimitiveType.DATE32, depth));
      case DATE_ADD, DATE_SUB, SHIFT_LEFT, SHIFT_RIGHT, SHIFT_RIGHT_UNSIGNED, ADD_MONTHS ->
          List.of(expression(type, depth), expression(PrimitiveType.INT32, depth));
      case DATE_DIFF -> pair(PrimitiveType.DATE32, depth);
      case NEXT_DAY -> List.of(expression(type, depth), constant(random.nextInt(7)));
      case TRUNC_DATE ->
          List.of(
              expression(type, depth),
              constant(
                  CalendarUnit.WEEK.ordinal() + random.nextInt(CalendarUnit.values().length - 6)));
      case MAKE_DATE -> makeDate(depth);
      case ROUND, ROUND_HALF_EVEN, CEILING, FLOOR -> rounded(function, type, depth);
      case SIGNUM, FACTORIAL, BIT_COUNT, BIT_GET -> ofNumber(function, depth);
      case MURMUR3_HASH -> hashed(PrimitiveType.INT32, type, depth);
      case XXHASH64 -> hashed(PrimitiveType.INT64, type, depth);
      case NEGATE, ABS, BITWISE_NOT, SQRT, NORMALIZE_FLOATING, RINT, TO_DEGREES, TO_RADIANS ->
          List.of(expression(type, depth));
      default ->
          ReferenceTimes.FUNCTIONS.contains(function)
              ? ofTime(function, type, depth)
              : binary(type, depth);
    };
  }

  /** Arguments of a function of timestamps. */
  private List<Expression> ofTime(Function function, DataType type, int depth) {
    boolean isTime =
        type == PrimitiveType.TIMESTAMP_MICROS || type == PrimitiveType.TIMESTAMP_NTZ_MICROS;
    DataType time = isTime ? type : PrimitiveType.TIMESTAMP_MICROS;
    Expression a = expression(time, depth);
    Literal unit = constant(random.nextInt(CalendarUnit.values().length));
    return switch (function) {
      case START_OF_DAY -> List.of(expression(PrimitiveType.DATE32, depth), zone());
      case TRUNC_TIMESTAMP -> List.of(a, unit, zone());
      case ADD_MONTHS_TO_TIME ->
          List.of(a, random.nextBoolean() ? smallInt(depth) : anyInt(depth), zone());
      case ADD_DAY_TIME -> List.of(a, expression(PrimitiveType.INTERVAL_DAY_TIME, depth), zone());
      case SUBTRACT_TIMESTAMPS -> List.of(a, expression(time, depth), zone());
      case SUBTRACT_DATES -> pair(PrimitiveType.DATE32, depth);
      case TIMESTAMP_ADD ->
          List.of(random.nextBoolean() ? smallInt(depth) : anyInt(depth), a, unit, zone());
      case TIMESTAMP_DIFF -> List.of(a, expression(time, depth), unit, zone());
      case MONTHS_BETWEEN -> {
        Literal rounds = new Literal(random.nextBoolean(), PrimitiveType.BOOLEAN);
        yield List.of(a, expression(time, depth), rounds, zone());
      }
      case UNIX_TIME -> List.of(a, constant(random.nextInt(3)));
      case FROM_UNIX_TIME -> List.of(anyInt(depth), constant(random.nextInt(3)));
      case SCALE_INTERVAL ->
          List.of(expression(type, depth), random.nextBoolean() ? smallInt(depth) : anyInt(depth));
      case INTERVAL_FIELD -> intervalField(type, depth);
      default -> List.of(a, zone());
    };
  }

  private List<Expression> intervalField(DataType type, int depth) {
    boolean isShort = random.nextBoolean();
    DataType interval =
        isShort ? PrimitiveType.INTERVAL_YEAR_MONTH : PrimitiveType.INTERVAL_DAY_TIME;
    CalendarUnit unit;
    if (type == PrimitiveType.INT8) {
      unit = isShort ? CalendarUnit.MONTH : CalendarUnit.HOUR;
    } else if (type == PrimitiveType.INT32) {
      unit = isShort ? CalendarUnit.YEAR : CalendarUnit.DAY;
    } else {
      unit = CalendarUnit.SECOND;
    }
    return List.of(expression(interval, depth), constant(unit.ordinal()));
  }

  private Literal zone() {
    List<String> odd =
        List.of("Z", "+18:00", "America/St_Johns", "Pacific/Apia", "Africa/Monrovia", "GMT+5");
    List<String> ids = random.nextBoolean() ? odd : ALL_ZONES;
    String id = ids.get(random.nextInt(ids.size()));
    return new Literal(id.getBytes(StandardCharsets.UTF_8), PrimitiveType.STRING);
  }

  private static Literal constant(int value) {
    return new Literal(value, PrimitiveType.INT32);
  }

  /** Fields of which most are some date's. */
  private List<Expression> makeDate(int depth) {
    Expression date = expression(PrimitiveType.DATE32, depth);
    Literal raises = new Literal(mode == EvaluationMode.ANSI, PrimitiveType.BOOLEAN);
    Expression day = constant(random.nextInt(33));
    return random.nextInt(4) == 0
        ? List.of(anyInt(depth), anyInt(depth), anyInt(depth), raises)
        : List.of(field(Function.YEAR, date), field(Function.MONTH, date), day, raises);
  }

  private Expression anyInt(int depth) {
    return expression(PrimitiveType.INT32, depth);
  }

  private Call field(Function function, Expression date) {
    return new Call(function, List.of(date), PrimitiveType.INT32, true, mode, -1);
  }

  /** What a rounding function may have for a result of a type. */
  private List<Expression> rounded(Function function, DataType type, int depth) {
    if (type instanceof DecimalType decimal) {
      int scale = decimal.scale() + random.nextInt(4);
      DecimalType from = new DecimalType(Math.max(scale, 1 + random.nextInt(38)), scale);
      int digits = decimal.scale() > 0 ? decimal.scale() : -random.nextInt(38 - scale);
      return List.of(expression(from, depth), constant(digits));
    }
    boolean isWhole = function == Function.CEILING || function == Function.FLOOR;
    DataType from = isWhole ? PrimitiveType.FLOAT64 : type;
    int most = TypeKind.FLOATS.contains(TypeKind.of(from)) ? 12 : 2;
    int digits = isWhole ? 0 : most - random.nextInt(most == 2 ? 24 : 40);
    return List.of(expression(from, depth), constant(digits));
  }

  private List<Expression> ofNumber(Function function, int depth) {
    return switch (function) {
      case SIGNUM -> List.of(expression(type(), depth));
      case FACTORIAL -> List.of(random.nextBoolean() ? smallInt(depth) : anyInt(depth));
      case BIT_COUNT -> List.of(expression(type(), depth));
      default ->
          List.of(
              expression(type(), depth), random.nextBoolean() ? smallInt(depth) : anyInt(depth));
    };
  }

  private Expression smallInt(int depth) {
    return field(Function.DAY_OF_MONTH, expression(PrimitiveType.DATE32, depth));
  }

  private DataType text() {
    return random.nextInt(4) == 0 ? PrimitiveType.BINARY : PrimitiveType.STRING;
  }

  private Literal pattern() {
    byte[] pattern = {
      LikePatterns.ANY_TEXT, 'a', LikePatterns.ANY_CHARACTER, 'b', LikePatterns.ANY_TEXT
    };
    int from = random.nextInt(pattern.length);
    int to = from + random.nextInt(pattern.length - from + 1);
    return new Literal(Arrays.copyOfRange(pattern, from, to), PrimitiveType.BINARY);
  }

  private List<Expression> part(Function function, int depth) {
    Expression string = expression(PrimitiveType.STRING, depth);
    Expression other =
        function == Function.POSITION ? expression(PrimitiveType.STRING, depth) : number();
    return List.of(string, other, number());
  }

  /** A small number, which is mostly a literal: an operand that raises is not allowed. */
  private Expression number() {
    return random.nextInt(4) == 0
        ? leaf(PrimitiveType.INT32)
        : new Literal(random.nextInt(12) - 4, PrimitiveType.INT32);
  }

  /** A seed, mostly Spark's, and some values, of which columns may be strings. */
  private List<Expression> hashed(DataType hash, DataType type, int depth) {
    if (type != hash) {
      return null;
    }
    List<Expression> arguments = new ArrayList<>();
    Serializable seed = hash == PrimitiveType.INT32 ? (Serializable) 42 : (Serializable) 42L;
    arguments.add(random.nextInt(4) == 0 ? expression(hash, depth) : new Literal(seed, hash));
    for (int i = random.nextInt(4); i >= 0; i--) {
      List<DataType> flat = RandomBatches.flatTypes();
      DataType any = flat.get(random.nextInt(flat.size()));
      boolean isFixed = TypeKind.FIXED_WIDTH.contains(TypeKind.of(any));
      arguments.add(isFixed ? expression(type(), depth) : leaf(any));
    }
    return arguments;
  }

  private List<Expression> binary(DataType type, int depth) {
    return type instanceof DecimalType
        ? List.of(expression(decimalType(), depth), expression(decimalType(), depth))
        : pair(type, depth);
  }

  private List<Expression> pair(DataType type, int depth) {
    return List.of(expression(type, depth), expression(type, depth));
  }

  private List<Expression> in(int depth) {
    DataType type = random.nextInt(4) == 0 ? text() : type();
    List<Expression> arguments = new ArrayList<>();
    arguments.add(expression(type, depth));
    for (int i = random.nextInt(random.nextInt(4) == 0 ? 40 : 5); i >= 0; i--) {
      arguments.add(literal(type));
    }
    return arguments;
  }

  private List<Expression> caseWhen(DataType type, int depth) {
    List<Expression> arguments = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      arguments.add(expression(PrimitiveType.BOOLEAN, depth));
      arguments.add(expression(type, depth));
    }
    arguments.add(expression(type, depth));
    return arguments;
  }
}
