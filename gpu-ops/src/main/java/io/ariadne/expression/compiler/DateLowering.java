package io.ariadne.expression.compiler;

import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.CalendarUnit;
import io.ariadne.expression.Call;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Literal;
import io.ariadne.expression.compiler.Lowered.Form;
import io.ariadne.kernel.abi.TileOpcode;
import java.util.List;

/**
 * Lowers functions of dates: days since 1970-01-01 of the proleptic Gregorian calendar in 32 bits.
 *
 * <p>Semantics: Spark's DateTimeUtils, where sums of days wrap, while dates that java.time computes
 * raise when they do not fit, in every mode.
 */
final class DateLowering {
  private static final int DAYS_PER_WEEK = 7;
  private static final int MONTHS_PER_YEAR = 12;
  private static final int MONTHS_PER_QUARTER = 3;

  /** The lengths of months repeat after so many months. */
  private static final int MONTHS_PER_CYCLE = 400 * MONTHS_PER_YEAR;

  private static final int EPOCH_YEAR = 1970;

  /** What to add to a day so that its weeks begin on Monday: 1970-01-01 is a Thursday. */
  private static final int MONDAY_SHIFT = 3;

  private static final int SUNDAY_SHIFT = 4;

  /** Monday, counted from Thursday, as Spark's {@code getNextDateForDayOfWeek} does. */
  private static final int MONDAY = 4;

  private final Lowering lowering;
  private final TileBuilder builder;
  private final LaneArithmetic lanes;

  DateLowering(Lowering lowering) {
    this.lowering = lowering;
    this.builder = lowering.builder();
    this.lanes = new LaneArithmetic(builder);
  }

  /** Lowers a function of one date. */
  Lowered unary(Call call, Lowered a) {
    Operand day = a.value();
    Operand result =
        switch (call.function()) {
          case YEAR -> builder.lane(TileOpcode.YEAR, day, 0);
          case QUARTER -> builder.lane(TileOpcode.QUARTER, day, 0);
          case MONTH -> builder.lane(TileOpcode.MONTH, day, 0);
          case DAY_OF_MONTH -> builder.lane(TileOpcode.DAY_OF_MONTH, day, 0);
          case DAY_OF_YEAR -> builder.lane(TileOpcode.DAY_OF_YEAR, day, 0);
          case DAY_OF_WEEK ->
              lanes.add(lanes.floorModulo(lanes.add(day, SUNDAY_SHIFT), DAYS_PER_WEEK), 1);
          case WEEK_DAY -> weekDay(day);
          case WEEK_OF_YEAR -> {
            Operand dayOfYear = builder.lane(TileOpcode.DAY_OF_YEAR, thursday(day), 0);
            yield lanes.add(lanes.floorDivide(lanes.add(dayOfYear, -1), DAYS_PER_WEEK), 1);
          }
          case YEAR_OF_WEEK -> builder.lane(TileOpcode.YEAR, thursday(day), 0);
          case LAST_DAY -> lanes.toInt(lastDay(month(day)));
          default -> throw new IllegalArgumentException(call.function() + " of a date");
        };
    return Lowered.of(call.type(), Form.INTEGER, result, a.validity());
  }

  private Operand weekDay(Operand day) {
    return lanes.floorModulo(lanes.add(day, MONDAY_SHIFT), DAYS_PER_WEEK);
  }

  /** The Thursday of a day's week, whose year is the week's. */
  private Operand thursday(Operand day) {
    return lanes.add(lanes.subtract(day, weekDay(day)), MONDAY_SHIFT);
  }

  /** Returns the number of a day's month, counted from January 1970. */
  Operand month(Operand day) {
    return builder.lane(TileOpcode.MONTH_NUMBER, day, 0);
  }

  /** Returns the first day of a month. */
  Operand firstDay(Operand month) {
    return builder.lane(TileOpcode.FIRST_DAY_OF_MONTH, month, 0);
  }

  /** Returns the last day of a month. */
  Operand lastDay(Operand month) {
    return lanes.add(firstDay(lanes.add(month, 1)), -1);
  }

  /** Returns a day some months later, in 64 bits: {@code LocalDate.plusMonths}. */
  Operand plusMonths(Operand day, Operand months) {
    Operand month = lanes.add(month(day), months);
    Operand dayOfMonth = builder.lane(TileOpcode.DAY_OF_MONTH, day, 0);
    Operand same = lanes.add(lanes.add(firstDay(month), dayOfMonth), -1);
    return lanes.lesser(same, lastDay(month));
  }

  /** Lowers DATE_ADD and DATE_SUB, which wrap. */
  Lowered addDays(TileOpcode opcode, Lowered a, Lowered b) {
    Operand sum = lanes.toInt(builder.lanes(opcode, a.value(), b.value()));
    return Lowered.of(PrimitiveType.DATE32, Form.INTEGER, sum, lowering.bothValid(a, b));
  }

  /** Lowers DATE_DIFF. */
  Lowered difference(Call call, Lowered a, Lowered b) {
    Operand days = lanes.toInt(lanes.subtract(a.value(), b.value()));
    return Lowered.of(call.type(), Form.INTEGER, days, lowering.bothValid(a, b));
  }

  /** Lowers ADD_MONTHS. */
  Lowered addMonths(Call call, Lowered a, Lowered b) {
    Operand day = plusMonths(a.value(), b.value());
    return fitted(call, Lowered.of(call.type(), Form.INTEGER, day, lowering.bothValid(a, b)));
  }

  /** Lowers NEXT_DAY, whose second argument is a literal. */
  Lowered nextDay(Call call, Lowered a) {
    Operand day = nextDay(a.value(), (int) longOf(call.arguments().get(1)));
    return Lowered.of(call.type(), Form.INTEGER, day, a.validity());
  }

  private Operand nextDay(Operand day, int dayOfWeek) {
    Operand distance = lanes.toInt(lanes.subtract(dayOfWeek - 1, day));
    Operand days = lanes.add(lanes.floorModulo(distance, DAYS_PER_WEEK), 1);
    return lanes.toInt(lanes.add(day, days));
  }

  /** Lowers TRUNC_DATE, whose second argument is a literal. */
  Lowered truncate(Call call, Lowered a) {
    CalendarUnit unit = unitOf(call.arguments().get(1));
    Operand day = truncated(a.value(), unit);
    Lowered result = Lowered.of(call.type(), Form.INTEGER, day, a.validity());
    return unit == CalendarUnit.QUARTER ? fitted(call, result) : result;
  }

  /** Returns the first day of a day's week, month, quarter or year; quarters in 64 bits. */
  Operand truncated(Operand day, CalendarUnit unit) {
    return switch (unit) {
      case WEEK -> nextDay(lanes.toInt(lanes.add(day, -DAYS_PER_WEEK)), MONDAY);
      case MONTH -> minusDaysBefore(day, TileOpcode.DAY_OF_MONTH);
      case YEAR -> minusDaysBefore(day, TileOpcode.DAY_OF_YEAR);
      case QUARTER -> {
        Operand month = month(day);
        yield firstDay(lanes.subtract(month, lanes.floorModulo(month, MONTHS_PER_QUARTER)));
      }
      default -> throw new IllegalArgumentException("a date has no " + unit);
    };
  }

  private Operand minusDaysBefore(Operand day, TileOpcode field) {
    return lanes.toInt(lanes.add(lanes.subtract(day, builder.lane(field, day, 0)), 1));
  }

  /** Lowers MAKE_DATE from year, month and day. */
  Lowered make(Call call, List<Lowered> fields) {
    boolean raises = Boolean.TRUE.equals(((Literal) call.arguments().get(3)).value());
    TileValue validity = null;
    for (Lowered field : fields) {
      validity = builder.and(validity, field.validity());
    }
    Operand month = fields.get(1).value();
    Operand day = fields.get(2).value();
    Operand years = lanes.add(fields.get(0).value(), -EPOCH_YEAR);
    Operand number = lanes.add(lanes.add(lanes.multiply(years, MONTHS_PER_YEAR), month), -1);
    Operand result = lanes.add(lanes.add(firstDay(number), day), -1);
    Operand near = lanes.floorModulo(number, MONTHS_PER_CYCLE);
    Operand length = lanes.subtract(firstDay(lanes.add(near, 1)), firstDay(near));
    TileValue isValid =
        builder.and(
            builder.and(
                isBetween(month, 1, MONTHS_PER_YEAR), lanes.compare(TileOpcode.GE_I64, day, 1)),
            lanes.compare(TileOpcode.LE_I64, day, length));
    isValid = builder.and(isValid, isBetween(fields.get(0).value(), -999_999_999, 999_999_999));
    EvaluationMode mode = raises ? EvaluationMode.ANSI : EvaluationMode.LEGACY;
    FailureSite site = new FailureSite(mode, call.origin(), ExpressionError.INVALID_DATE);
    Lowered date = Lowered.of(call.type(), Form.INTEGER, result, validity);
    return fitted(call, lowering.failing(date, builder.not(isValid), site));
  }

  private TileValue isBetween(Operand a, long lowest, long highest) {
    return builder.and(
        lanes.compare(TileOpcode.GE_I64, a, lowest), lanes.compare(TileOpcode.LE_I64, a, highest));
  }

  /** Fails where a day does not fit 32 bits. */
  private Lowered fitted(Call call, Lowered a) {
    TileValue overflow =
        lanes.compare(
            TileOpcode.NE_I64, Operand.of(builder.lane(a.value())), lanes.toInt(a.value()));
    FailureSite site = FailureSite.of(call, ExpressionError.ARITHMETIC_OVERFLOW);
    return lowering.failing(a, overflow, site);
  }

  static long longOf(Expression literal) {
    return ((Number) ((Literal) literal).value()).longValue();
  }

  static CalendarUnit unitOf(Expression literal) {
    return CalendarUnit.values()[(int) longOf(literal)];
  }
}
