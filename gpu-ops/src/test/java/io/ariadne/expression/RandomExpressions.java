package io.ariadne.expression;

import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random expressions that {@link FunctionSupport} accepts, over the columns of a schema. */
final class RandomExpressions {
  private static final int ATTEMPTS = 200;
  private static final int MAX_SCALE = 12;

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
          isBoolean ? pair(type(), depth) : null;
      case AND, OR -> isBoolean ? pair(type, depth) : null;
      case NOT -> isBoolean ? List.of(expression(type, depth)) : null;
      case IS_NULL, IS_NOT_NULL, IS_NAN -> isBoolean ? List.of(expression(type(), depth)) : null;
      case IN -> isBoolean ? in(depth) : null;
      case CASE_WHEN -> caseWhen(type, depth);
      case COALESCE -> List.of(expression(type, depth), expression(type, depth));
      case CAST, CHECK_OVERFLOW -> List.of(expression(type(), depth));
      case UNSCALED_VALUE -> List.of(expression(decimalType(), depth));
      case MAKE_DECIMAL -> List.of(expression(PrimitiveType.INT64, depth));
      case YEAR, QUARTER, MONTH, DAY_OF_MONTH, DAY_OF_YEAR ->
          List.of(expression(PrimitiveType.DATE32, depth));
      case DATE_ADD, DATE_SUB, SHIFT_LEFT, SHIFT_RIGHT, SHIFT_RIGHT_UNSIGNED ->
          List.of(expression(type, depth), expression(PrimitiveType.INT32, depth));
      case MURMUR3_HASH -> hashed(PrimitiveType.INT32, type, depth);
      case XXHASH64 -> hashed(PrimitiveType.INT64, type, depth);
      case NEGATE, ABS, BITWISE_NOT, SQRT, NORMALIZE_FLOATING -> List.of(expression(type, depth));
      default -> binary(type, depth);
    };
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
    DataType type = type();
    List<Expression> arguments = new ArrayList<>();
    arguments.add(expression(type, depth));
    for (int i = random.nextInt(5); i >= 0; i--) {
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
