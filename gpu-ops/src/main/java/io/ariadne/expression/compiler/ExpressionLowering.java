package io.ariadne.expression.compiler;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.FunctionSupport;
import io.ariadne.expression.Literal;
import io.ariadne.expression.compiler.Lowered.Form;
import io.ariadne.expression.compiler.TileValue.Kind;
import io.ariadne.kernel.abi.TileOpcode;
import java.math.BigInteger;
import java.util.List;

/** Lowers expressions to operations: columns, literals, and calls by their function. */
final class ExpressionLowering {
  private static final BigInteger INT_LIMIT = BigInteger.ONE.shiftLeft(31);
  private static final BigInteger LONG_LIMIT = BigInteger.ONE.shiftLeft(63);

  private final TileBuilder builder;
  private final BatchSignature signature;
  private final IntegerLowering integers;
  private final FloatLowering floats;
  private final DecimalLowering decimals;
  private final CastLowering casts;
  private final PredicateLowering predicates;
  private final ConditionalLowering conditionals;
  private final HashLowering hashes;
  private final DateLowering dates;
  private final TimeLowering times;
  private final RoundLowering rounding;
  private final MathLowering math;
  private final StringLowering strings;

  ExpressionLowering(Lowering lowering, BatchSignature signature) {
    this.builder = lowering.builder();
    this.signature = signature;
    this.integers = new IntegerLowering(lowering);
    this.floats = new FloatLowering(lowering);
    this.decimals = new DecimalLowering(lowering);
    this.casts = new CastLowering(lowering, integers, floats, decimals);
    this.predicates = new PredicateLowering(lowering);
    this.conditionals = new ConditionalLowering(lowering, this, predicates);
    this.hashes = new HashLowering(lowering, this);
    this.dates = new DateLowering(lowering);
    this.times = new TimeLowering(lowering, dates);
    this.rounding = new RoundLowering(lowering, integers, decimals);
    this.math = new MathLowering(lowering, floats);
    this.strings = new StringLowering(lowering, this, predicates);
  }

  ConditionalLowering conditionals() {
    return conditionals;
  }

  DecimalLowering decimals() {
    return decimals;
  }

  /** Lowers any expression without bridged calls. */
  Lowered lower(Expression expression) {
    if (expression instanceof ColumnReference reference) {
      return column(reference.index(), reference.type());
    }
    if (expression instanceof Literal literal) {
      return literal(literal);
    }
    if (expression instanceof Call call) {
      return call(call);
    }
    throw new IllegalArgumentException("not lowered before: " + expression);
  }

  /** Returns the validity of a column; null when it has no nulls. */
  TileValue validity(int index) {
    return signature.column(index).mayHaveNulls()
        ? builder.load(TileOpcode.LOAD_VALIDITY, Kind.MASK, index)
        : null;
  }

  /** Returns whether a column has codes. */
  boolean isCoded(int index) {
    return signature.column(index).isCoded();
  }

  /**
   * Returns whether a function of an expression should be computed once per dictionary entry: the
   * expression is a dictionary column with few entries.
   */
  boolean paysPerEntry(Expression expression) {
    return expression instanceof ColumnReference reference
        && signature.column(reference.index()).paysPerEntry();
  }

  /** Reads the codes of a dictionary column. */
  Lowered codes(int index, DataType type) {
    Operand codes = Operand.of(builder.load(TileOpcode.LOAD_I32, Kind.LANE, index));
    return Lowered.of(type, Form.INTEGER, codes, validity(index));
  }

  /** Reads the values of a column. */
  Lowered column(int index, DataType type) {
    PhysicalType kind = signature.column(index).values();
    TileValue validity = validity(index);
    return switch (kind) {
      case BOOL -> Lowered.mask(type, load(TileOpcode.LOAD_BOOL, Kind.MASK, index), validity);
      case I8 -> lane(TileOpcode.LOAD_I8, Form.INTEGER, index, type, validity);
      case I16 -> lane(TileOpcode.LOAD_I16, Form.INTEGER, index, type, validity);
      case I32 -> lane(TileOpcode.LOAD_I32, Form.INTEGER, index, type, validity);
      case I64 -> lane(TileOpcode.LOAD_I64, Form.INTEGER, index, type, validity);
      case F32 -> lane(TileOpcode.LOAD_F32, Form.DOUBLE, index, type, validity);
      case F64 -> lane(TileOpcode.LOAD_F64, Form.DOUBLE, index, type, validity);
      case I128, VIEW16 -> {
        Operand pair = Operand.of(load(TileOpcode.LOAD_I128, Kind.PAIR, index));
        yield new Lowered(type, Form.WIDE, pair, validity, bound(type, kind));
      }
      case OFFSETS, NONE -> Lowered.of(type, Form.INTEGER, Operand.of(0L), validity);
      case DICTIONARY32 -> throw new IllegalArgumentException("a dictionary of codes");
    };
  }

  private TileValue load(TileOpcode opcode, Kind kind, int index) {
    return signature.column(index).isCoded()
        ? builder.loadCoded(opcode, kind, index)
        : builder.load(opcode, kind, index);
  }

  private Lowered lane(TileOpcode opcode, Form form, int index, DataType type, TileValue validity) {
    Operand value = Operand.of(load(opcode, Kind.LANE, index));
    BigInteger bound = bound(type, signature.column(index).values());
    return new Lowered(type, form, value, validity, bound);
  }

  private static BigInteger bound(DataType type, PhysicalType kind) {
    if (!(type instanceof DecimalType decimal)) {
      return null;
    }
    BigInteger limit = DecimalLowering.limit(decimal);
    return switch (kind) {
      case I32 -> limit.min(INT_LIMIT);
      case I64 -> limit.min(LONG_LIMIT);
      default -> limit;
    };
  }

  private Lowered literal(Literal literal) {
    DataType type = literal.type();
    TileValue validity = literal.value() == null ? builder.constantMask(false) : null;
    Object value = literal.value();
    if (type == PrimitiveType.BOOLEAN) {
      return Lowered.mask(type, builder.constantMask(Boolean.TRUE.equals(value)), validity);
    }
    if (type instanceof DecimalType) {
      BigInteger unscaled = value == null ? BigInteger.ZERO : (BigInteger) value;
      Form form = DecimalLowering.fitsLong(unscaled.abs()) ? Form.INTEGER : Form.WIDE;
      return new Lowered(type, form, Operand.of(unscaled), validity, unscaled.abs());
    }
    if (type == PrimitiveType.FLOAT32 || type == PrimitiveType.FLOAT64) {
      double number = value == null ? 0 : ((Number) value).doubleValue();
      return Lowered.of(type, Form.DOUBLE, Operand.of(number), validity);
    }
    if (type == PrimitiveType.STRING || type == PrimitiveType.BINARY) {
      byte[] bytes = value == null ? new byte[0] : (byte[]) value;
      Operand view = Operand.of(StringLowering.inlineView(bytes));
      return Lowered.of(type, Form.WIDE, view, validity);
    }
    long number = value == null ? 0 : ((Number) value).longValue();
    return Lowered.of(type, Form.INTEGER, Operand.of(number), validity);
  }

  private Lowered call(Call call) {
    if (StringLowering.handles(call)) {
      return strings.lower(call);
    }
    return switch (call.function()) {
      case AND -> conditionals.and(call);
      case OR -> conditionals.or(call);
      case CASE_WHEN -> conditionals.caseWhen(call);
      case COALESCE -> conditionals.coalesce(call);
      case IN -> {
        List<Expression> values = call.arguments().subList(1, call.arguments().size());
        yield predicates.in(argument(call, 0), values.stream().map(this::lower).toList());
      }
      case MURMUR3_HASH, XXHASH64 -> hashes.hash(call);
      case GREATEST, LEAST -> conditionals.extreme(call);
      case NANVL -> conditionals.nanvl(call, floats);
      case ROUND, ROUND_HALF_EVEN, CEILING, FLOOR -> rounding.round(call, argument(call, 0));
      case NEXT_DAY -> dates.nextDay(call, argument(call, 0));
      case TRUNC_DATE -> dates.truncate(call, argument(call, 0));
      case MAKE_DATE -> dates.make(call, conditionals.inOrder(call.arguments().subList(0, 3)));
      case IS_NULL -> nullTest(call.arguments().get(0), true);
      case IS_NOT_NULL -> nullTest(call.arguments().get(0), false);
      default -> {
        if (FunctionSupport.firstConstant(call.function()) < call.arguments().size()) {
          yield ofTime(call);
        }
        yield call.arguments().size() == 1
            ? unary(call, argument(call, 0))
            : binary(call, conditionals.operands(call));
      }
    };
  }

  /** Lowers a function of timestamps, whose last arguments are constants. */
  private Lowered ofTime(Call call) {
    int count = FunctionSupport.firstConstant(call.function());
    List<Lowered> operands = conditionals.inOrder(call.arguments().subList(0, count));
    Lowered a = operands.get(0);
    return switch (call.function()) {
      case LOCAL_DATE -> times.localDate(call, a);
      case START_OF_DAY -> times.startOfDay(call, a);
      case TO_LOCAL -> times.toLocal(call, a);
      case FROM_LOCAL -> times.fromLocal(call, a);
      case TRUNC_TIMESTAMP -> times.truncate(call, a);
      case HOUR, MINUTE, SECOND, SECOND_WITH_FRACTION -> times.field(call, a);
      case ADD_MONTHS_TO_TIME -> times.addMonths(call, operands);
      case ADD_DAY_TIME -> times.addDayTime(call, operands);
      case SUBTRACT_TIMESTAMPS -> times.subtract(call, operands);
      case TIMESTAMP_ADD -> times.add(call, operands);
      case TIMESTAMP_DIFF -> times.difference(call, operands);
      case MONTHS_BETWEEN -> times.monthsBetween(call, operands);
      case UNIX_TIME -> times.unixTime(call, a);
      case FROM_UNIX_TIME -> times.fromUnixTime(call, a);
      case INTERVAL_FIELD -> times.intervalField(call, a);
      default -> throw unknown(call);
    };
  }

  private Lowered argument(Call call, int index) {
    return lower(call.arguments().get(index));
  }

  private Lowered unary(Call call, Lowered a) {
    return switch (call.function()) {
      case NEGATE ->
          arithmetic(call, a, TileOpcode.NEG_I64, TileOpcode.NEG_I128, TileOpcode.NEG_F64);
      case ABS -> arithmetic(call, a, TileOpcode.ABS_I64, TileOpcode.ABS_I128, TileOpcode.ABS_F64);
      case NOT -> predicates.not(a);
      case IS_NAN ->
          Lowered.mask(PrimitiveType.BOOLEAN, builder.and(a.validity(), floats.isNan(a)), null);
      case CAST -> casts.cast(call, a);
      case REINTERPRET -> a.withType(call.type());
      case CHECK_OVERFLOW ->
          decimals.rescaled(
              a, (DecimalType) call.type(), FailureSite.of(call, ExpressionError.DECIMAL_OVERFLOW));
      case UNSCALED_VALUE -> unscaledValue(a);
      case MAKE_DECIMAL -> makeDecimal(call, a);
      case BITWISE_NOT ->
          Lowered.of(
              call.type(),
              Form.INTEGER,
              builder.lanes(TileOpcode.XOR_I64, a.value(), Operand.of(-1L)),
              a.validity());
      case SQRT -> floats.unary(call.type(), TileOpcode.SQRT_F64, a);
      case NORMALIZE_FLOATING -> floats.unary(call.type(), TileOpcode.NORMALIZE_F64, a);
      case SIGNUM -> math.signum(call, a);
      case RINT -> rounding.rint(call, a);
      case TO_DEGREES -> math.times(call, a, Math.toDegrees(1));
      case TO_RADIANS -> math.times(call, a, Math.toRadians(1));
      case FACTORIAL -> math.factorial(call, a);
      case BIT_COUNT -> math.bitCount(call, a);
      default -> dates.unary(call, a);
    };
  }

  private Lowered arithmetic(
      Call call, Lowered a, TileOpcode narrow, TileOpcode wide, TileOpcode floating) {
    if (call.type() instanceof DecimalType) {
      return decimals.unary(call, narrow, wide, a);
    }
    return a.form() == Form.DOUBLE
        ? floats.unary(call.type(), floating, a)
        : integers.unary(call, narrow, a);
  }

  private Lowered nullTest(Expression expression, boolean isNull) {
    TileValue valid =
        expression instanceof Literal literal
            ? builder.constantMask(literal.value() != null)
            : builder.orAll(lower(expression).validity());
    return Lowered.mask(PrimitiveType.BOOLEAN, isNull ? builder.not(valid) : valid, null);
  }

  private Lowered unscaledValue(Lowered a) {
    Operand value = a.form() == Form.WIDE ? decimals.lowHalf(a.value()) : a.value();
    return Lowered.of(PrimitiveType.INT64, Form.INTEGER, value, a.validity());
  }

  private Lowered makeDecimal(Call call, Lowered a) {
    Lowered unchecked = new Lowered(call.type(), Form.INTEGER, a.value(), a.validity(), LONG_LIMIT);
    return decimals.checked(
        unchecked,
        (DecimalType) call.type(),
        FailureSite.of(call, ExpressionError.DECIMAL_OVERFLOW));
  }

  private Lowered binary(Call call, List<Lowered> operands) {
    Lowered a = operands.get(0);
    Lowered b = operands.get(1);
    boolean isDecimal = a.type() instanceof DecimalType;
    boolean isFloat = a.form() == Form.DOUBLE;
    return switch (call.function()) {
      case ADD, SUBTRACT -> isDecimal ? decimals.add(call, a, b) : numeric(call, a, b);
      case MULTIPLY -> isDecimal ? decimals.multiply(call, a, b) : numeric(call, a, b);
      case DIVIDE ->
          isDecimal ? decimals.divide(call, a, b) : floats.divide(call, TileOpcode.DIV_F64, a, b);
      case INTEGRAL_DIVIDE -> integers.divide(call, TileOpcode.DIV_I64, a, b);
      case REMAINDER -> {
        if (isDecimal) {
          yield decimals.remainder(call, a, b);
        }
        yield isFloat
            ? floats.divide(call, TileOpcode.REM_F64, a, b)
            : integers.divide(call, TileOpcode.REM_I64, a, b);
      }
      case NULL_SAFE_EQUAL -> predicates.nullSafeEqual(a, b);
      case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL ->
          predicates.comparison(call.function(), a, b);
      case POSITIVE_MODULO -> math.positiveModulo(call, a, b);
      case BIT_GET -> math.bitGet(call, a, b);
      case DATE_ADD -> dates.addDays(TileOpcode.ADD_I64, a, b);
      case DATE_SUB -> dates.addDays(TileOpcode.SUB_I64, a, b);
      case DATE_DIFF -> dates.difference(call, a, b);
      case SUBTRACT_DATES -> times.subtractDates(call, a, b);
      case SCALE_INTERVAL -> times.scaled(call, a, b);
      case ADD_MONTHS -> dates.addMonths(call, a, b);
      case BITWISE_AND -> integers.total(call.type(), TileOpcode.AND_I64, a, b);
      case BITWISE_OR -> integers.total(call.type(), TileOpcode.OR_I64, a, b);
      case BITWISE_XOR -> integers.total(call.type(), TileOpcode.XOR_I64, a, b);
      case SHIFT_LEFT -> shift(call, TileOpcode.SHL_I32, TileOpcode.SHL_I64, a, b);
      case SHIFT_RIGHT -> shift(call, TileOpcode.SHR_I32, TileOpcode.SHR_I64, a, b);
      case SHIFT_RIGHT_UNSIGNED -> shift(call, TileOpcode.USHR_I32, TileOpcode.USHR_I64, a, b);
      default -> throw unknown(call);
    };
  }

  private Lowered numeric(Call call, Lowered a, Lowered b) {
    if (a.form() == Form.INTEGER) {
      return integers.arithmetic(call, a, b);
    }
    TileOpcode opcode =
        switch (call.function()) {
          case ADD -> TileOpcode.ADD_F64;
          case SUBTRACT -> TileOpcode.SUB_F64;
          default -> TileOpcode.MUL_F64;
        };
    return floats.arithmetic(call, opcode, a, b);
  }

  private Lowered shift(Call call, TileOpcode narrow, TileOpcode wide, Lowered a, Lowered b) {
    boolean isInt = call.type() == PrimitiveType.INT32;
    return integers.total(call.type(), isInt ? narrow : wide, a, b);
  }

  private static IllegalArgumentException unknown(Call call) {
    return new IllegalArgumentException(
        call.function() + " of " + call.arguments().size() + " arguments is not lowered");
  }
}
