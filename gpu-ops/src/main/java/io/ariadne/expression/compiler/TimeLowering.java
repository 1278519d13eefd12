package io.ariadne.expression.compiler;

import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.CalendarUnit;
import io.ariadne.expression.Call;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Literal;
import io.ariadne.expression.compiler.Lowered.Form;
import io.ariadne.expression.compiler.TileOperation.Action;
import io.ariadne.expression.compiler.TileValue.Kind;
import io.ariadne.kernel.abi.TileOpcode;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.List;

/**
 * Lowers functions of timestamps: microseconds since 1970-01-01 00:00:00 UTC, or of a local clock
 * that shows UTC. A function that depends on a time zone has a literal with the zone's id as its
 * last argument.
 *
 * <p>Semantics: Spark's DateTimeUtils, which is java.time's {@code ZonedDateTime} over any 64-bit
 * number of microseconds; a result that does not fit fails.
 */
final class TimeLowering {
  private static final long MICROS_PER_SECOND = 1_000_000L;
  private static final int SECONDS_PER_MINUTE = 60;
  private static final int SECONDS_PER_HOUR = 3600;
  private static final int SECONDS_PER_DAY = 86_400;
  private static final long MICROS_PER_DAY = MICROS_PER_SECOND * SECONDS_PER_DAY;
  private static final int MONTHS_PER_YEAR = 12;
  private static final int MOST_DAYS = 32;
  private static final int MONTH_SECONDS = 31 * SECONDS_PER_DAY;

  private final Lowering lowering;
  private final TileBuilder builder;
  private final LaneArithmetic lanes;
  private final DateLowering dates;

  TimeLowering(Lowering lowering, DateLowering dates) {
    this.lowering = lowering;
    this.builder = lowering.builder();
    this.lanes = new LaneArithmetic(builder);
    this.dates = dates;
  }

  /**
   * An instant in its zone.
   *
   * @param second since 1970-01-01 00:00:00 UTC, rounded down
   * @param micro of the second
   * @param offset of the zone then, in seconds
   * @param day local
   * @param secondOfDay local
   */
  private record Zoned(
      Operand second, Operand micro, Operand offset, Operand day, Operand secondOfDay) {}

  private static ZoneSteps zone(Call call) {
    List<Expression> arguments = call.arguments();
    byte[] id = (byte[]) ((Literal) arguments.get(arguments.size() - 1)).value();
    return ZoneSteps.of(ZoneId.of(new String(id, StandardCharsets.UTF_8)));
  }

  private Operand offset(ZoneSteps zone, Operand second) {
    return zone.fixedOffset() != null
        ? Operand.of(zone.fixedOffset())
        : builder.stepValue(second, zone.byInstant());
  }

  private Zoned zoned(ZoneSteps zone, Operand micros) {
    Operand second = builder.lane(TileOpcode.SECOND_OF_MICROS, micros, 0);
    Operand micro = lanes.subtract(micros, lanes.multiply(second, MICROS_PER_SECOND));
    Operand offset = offset(zone, second);
    Operand local = sum(second, offset);
    Operand day = lanes.floorDivide(local, SECONDS_PER_DAY);
    Operand secondOfDay = lanes.subtract(local, lanes.multiply(day, SECONDS_PER_DAY));
    return new Zoned(second, micro, offset, day, secondOfDay);
  }

  private Operand sum(Operand a, Operand b) {
    return b.isConstant() ? lanes.add(a, b.constant().longValue()) : lanes.add(a, b);
  }

  private Operand difference(Operand a, Operand b) {
    return b.isConstant() ? lanes.add(a, -b.constant().longValue()) : lanes.subtract(a, b);
  }

  /** Returns the second of a local time: {@code LocalDateTime.atZone}. */
  private Operand atZone(ZoneSteps zone, Operand local) {
    Operand offset =
        zone.fixedOffset() != null
            ? Operand.of(zone.fixedOffset())
            : builder.stepValue(local, zone.byLocalTime());
    return difference(local, offset);
  }

  /**
   * Returns the second of a local time, with a preferred offset where two are valid: {@code
   * ZonedDateTime.ofLocal}.
   */
  private Operand atZone(ZoneSteps zone, Operand local, Operand preferred) {
    if (zone.fixedOffset() != null) {
      return atZone(zone, local);
    }
    Operand second = lanes.subtract(local, preferred);
    TileValue isValid = lanes.compare(TileOpcode.EQ_I64, offset(zone, second), preferred);
    return lanes.select(isValid, second, atZone(zone, local));
  }

  private Operand midnight(ZoneSteps zone, Operand day) {
    Operand local = lanes.multiply(day, SECONDS_PER_DAY);
    return zone.fixedOffset() != null
        ? lanes.add(local, -zone.fixedOffset())
        : lanes.subtract(local, builder.stepValue(local, zone.byMidnight()));
  }

  /** Returns seconds and microseconds as microseconds; fails where they do not fit. */
  private Lowered micros(Call call, TileValue validity, Operand second, Operand... micros) {
    Operand exact = wideProduct(second, MICROS_PER_SECOND);
    for (Operand more : micros) {
      exact = builder.pairs(TileOpcode.ADD_I128, exact, wide(more));
    }
    return fitted(call, validity, exact);
  }

  private Operand wideProduct(Operand a, long factor) {
    Operand lane = Operand.of(builder.lane(a));
    return Operand.of(
        builder.value(Kind.PAIR, Action.of(TileOpcode.MUL_WIDE_I64, lane, Operand.of(factor))));
  }

  private Operand wide(Operand lane) {
    return lane.isConstant()
        ? lane
        : Operand.of(builder.value(Kind.PAIR, Action.of(TileOpcode.WIDEN_I64, lane, 0)));
  }

  private Lowered fitted(Call call, TileValue validity, Operand exact) {
    TileOperation narrow =
        builder.withOverflow(
            Kind.LANE, Action.of(TileOpcode.NARROW_I128, Operand.of(builder.pair(exact)), 0));
    return lowering.failing(
        integer(call, Operand.of(narrow.result()), validity),
        narrow.overflow(),
        FailureSite.of(call, ExpressionError.ARITHMETIC_OVERFLOW));
  }

  private static Lowered integer(Call call, Operand value, TileValue validity) {
    return Lowered.of(call.type(), Form.INTEGER, value, validity);
  }

  /** Lowers HOUR, MINUTE, SECOND and SECOND_WITH_FRACTION. */
  Lowered field(Call call, Lowered a) {
    Zoned time = zoned(zone(call), a.value());
    Operand second = lanes.floorModulo(time.secondOfDay(), SECONDS_PER_MINUTE);
    return switch (call.function()) {
      case HOUR ->
          integer(call, lanes.floorDivide(time.secondOfDay(), SECONDS_PER_HOUR), a.validity());
      case MINUTE -> {
        Operand minutes = lanes.floorDivide(time.secondOfDay(), SECONDS_PER_MINUTE);
        yield integer(call, lanes.floorModulo(minutes, SECONDS_PER_MINUTE), a.validity());
      }
      case SECOND -> integer(call, second, a.validity());
      default -> {
        Operand micros = lanes.add(lanes.multiply(second, MICROS_PER_SECOND), time.micro());
        BigInteger bound = BigInteger.valueOf(SECONDS_PER_MINUTE * MICROS_PER_SECOND);
        yield new Lowered(call.type(), Form.INTEGER, micros, a.validity(), bound);
      }
    };
  }

  /** Lowers LOCAL_DATE. */
  Lowered localDate(Call call, Lowered a) {
    return integer(call, zoned(zone(call), a.value()).day(), a.validity());
  }

  /** Lowers START_OF_DAY. */
  Lowered startOfDay(Call call, Lowered a) {
    return micros(call, a.validity(), midnight(zone(call), a.value()));
  }

  /** Lowers TO_LOCAL. */
  Lowered toLocal(Call call, Lowered a) {
    ZoneSteps zone = zone(call);
    if (isUtc(zone)) {
      return a.withType(call.type());
    }
    Operand second = builder.lane(TileOpcode.SECOND_OF_MICROS, a.value(), 0);
    return shifted(call, a, offset(zone, second), 1);
  }

  /** Lowers FROM_LOCAL. */
  Lowered fromLocal(Call call, Lowered a) {
    ZoneSteps zone = zone(call);
    if (isUtc(zone)) {
      return a.withType(call.type());
    }
    Operand local = builder.lane(TileOpcode.SECOND_OF_MICROS, a.value(), 0);
    return shifted(call, a, lanes.subtract(local, atZone(zone, local)), -1);
  }

  private static boolean isUtc(ZoneSteps zone) {
    return zone.fixedOffset() != null && zone.fixedOffset() == 0;
  }

  /** Adds seconds to a timestamp, or subtracts them. */
  private Lowered shifted(Call call, Lowered a, Operand seconds, int sign) {
    Operand micros =
        seconds.isConstant()
            ? Operand.of(sign * MICROS_PER_SECOND * seconds.constant().longValue())
            : lanes.multiply(seconds, sign * MICROS_PER_SECOND);
    return sumOf(call, a, micros, a.validity());
  }

  private Lowered sumOf(Call call, Lowered a, Operand micros, TileValue validity) {
    Operand x = Operand.of(builder.lane(a.value()));
    TileOperation sum =
        builder.withOverflow(Kind.LANE, Action.of(TileOpcode.ADD_OVERFLOW_I64, x, micros));
    return lowering.failing(
        integer(call, Operand.of(sum.result()), validity),
        sum.overflow(),
        FailureSite.of(call, ExpressionError.ARITHMETIC_OVERFLOW));
  }

  /** Lowers TRUNC_TIMESTAMP, whose second argument is the unit. */
  Lowered truncate(Call call, Lowered a) {
    CalendarUnit unit = DateLowering.unitOf(call.arguments().get(1));
    if (unit == CalendarUnit.MICROSECOND) {
      return a;
    }
    if (unit.compareTo(CalendarUnit.SECOND) <= 0) {
      return integer(call, wholeMicros(a.value(), unit), a.validity());
    }
    ZoneSteps zone = zone(call);
    Zoned time = zoned(zone, a.value());
    if (unit.compareTo(CalendarUnit.DAY) > 0) {
      return micros(call, a.validity(), midnight(zone, dates.truncated(time.day(), unit)));
    }
    int seconds = unit == CalendarUnit.DAY ? SECONDS_PER_DAY : secondsOf(unit);
    Operand rest = lanes.floorModulo(time.secondOfDay(), seconds);
    Operand local = lanes.subtract(sum(time.second(), time.offset()), rest);
    return micros(call, a.validity(), atZone(zone, local, time.offset()));
  }

  private static int secondsOf(CalendarUnit unit) {
    return switch (unit) {
      case SECOND -> 1;
      case MINUTE -> SECONDS_PER_MINUTE;
      case HOUR -> SECONDS_PER_HOUR;
      default -> SECONDS_PER_DAY;
    };
  }

  private Operand wholeMicros(Operand micros, CalendarUnit unit) {
    Operand second = builder.lane(TileOpcode.SECOND_OF_MICROS, micros, 0);
    Operand whole = lanes.multiply(second, MICROS_PER_SECOND);
    return unit == CalendarUnit.SECOND
        ? whole
        : lanes.subtract(micros, lanes.floorModulo(lanes.subtract(micros, whole), 1000));
  }

  /** Lowers ADD_MONTHS_TO_TIME. */
  Lowered addMonths(Call call, List<Lowered> operands) {
    Lowered a = operands.get(0);
    TileValue validity = lowering.bothValid(a, operands.get(1));
    return plusMonths(call, a, operands.get(1).value(), validity);
  }

  private Lowered plusMonths(Call call, Lowered a, Operand months, TileValue validity) {
    ZoneSteps zone = zone(call);
    Zoned time = zoned(zone, a.value());
    Operand day = dates.plusMonths(time.day(), months);
    return micros(call, validity, secondOn(zone, time, day), time.micro());
  }

  private Operand secondOn(ZoneSteps zone, Zoned time, Operand day) {
    Operand local = lanes.add(lanes.multiply(day, SECONDS_PER_DAY), time.secondOfDay());
    return atZone(zone, local, time.offset());
  }

  /** Lowers ADD_DAY_TIME: whole days by the calendar, then the rest. */
  Lowered addDayTime(Call call, List<Lowered> operands) {
    Lowered a = operands.get(0);
    TileValue validity = lowering.bothValid(a, operands.get(1));
    Operand interval = operands.get(1).value();
    if (zone(call).fixedOffset() != null) {
      return sumOf(call, a, interval, validity);
    }
    Operand days = builder.lanes(TileOpcode.DIV_I64, interval, Operand.of(MICROS_PER_DAY));
    Operand rest = lanes.subtract(interval, lanes.multiply(days, MICROS_PER_DAY));
    return plusDays(call, a, days, rest, validity);
  }

  private Lowered plusDays(Call call, Lowered a, Operand days, Operand rest, TileValue validity) {
    ZoneSteps zone = zone(call);
    Zoned time = zoned(zone, a.value());
    Operand second = secondOn(zone, time, lanes.add(time.day(), days));
    return micros(call, validity, second, time.micro(), rest);
  }

  /** Lowers SUBTRACT_TIMESTAMPS. */
  Lowered subtract(Call call, List<Lowered> operands) {
    TileValue validity = lowering.bothValid(operands.get(0), operands.get(1));
    return fitted(call, validity, localDifference(zone(call), operands.get(0), operands.get(1)));
  }

  /** Microseconds between local times, in 128 bits. */
  private Operand localDifference(ZoneSteps zone, Lowered end, Lowered start) {
    if (zone.fixedOffset() != null) {
      return builder.pairs(TileOpcode.SUB_I128, wide(end.value()), wide(start.value()));
    }
    Zoned to = zoned(zone, end.value());
    Zoned from = zoned(zone, start.value());
    Operand seconds =
        lanes.subtract(sum(to.second(), to.offset()), sum(from.second(), from.offset()));
    Operand micros = lanes.subtract(to.micro(), from.micro());
    return builder.pairs(
        TileOpcode.ADD_I128, wideProduct(seconds, MICROS_PER_SECOND), wide(micros));
  }

  /** Lowers TIMESTAMP_DIFF from the first to the second argument; the third is the unit. */
  Lowered difference(Call call, List<Lowered> operands) {
    CalendarUnit unit = DateLowering.unitOf(call.arguments().get(2));
    TileValue validity = lowering.bothValid(operands.get(0), operands.get(1));
    ZoneSteps zone = zone(call);
    if (unit.compareTo(CalendarUnit.MONTH) >= 0) {
      Operand months = months(zone, operands.get(0), operands.get(1));
      int divisor = unit == CalendarUnit.MONTH ? 1 : unit == CalendarUnit.QUARTER ? 3 : 12;
      return integer(call, quotient(months, divisor), validity);
    }
    Operand micros = localDifference(zone, operands.get(1), operands.get(0));
    if (unit == CalendarUnit.MICROSECOND) {
      return fitted(call, validity, micros);
    }
    int digits = unit == CalendarUnit.MILLISECOND ? 3 : 6;
    Operand whole = builder.pair(TileOpcode.DIV_POW10_I128, micros, digits);
    Operand lane =
        Operand.of(
            builder.withOverflow(Kind.LANE, Action.of(TileOpcode.NARROW_I128, whole, 0)).result());
    int days = unit == CalendarUnit.WEEK ? 7 : 1;
    int divisor = unit == CalendarUnit.MILLISECOND ? 1 : days * secondsOf(unit);
    return integer(call, quotient(lane, divisor), validity);
  }

  private Operand quotient(Operand a, int divisor) {
    return divisor == 1 ? a : builder.lanes(TileOpcode.DIV_I64, a, Operand.of((long) divisor));
  }

  /**
   * Returns the whole months from one local time to another: {@code ChronoUnit.MONTHS.between}. An
   * end at an earlier time of day counts as one day less.
   */
  private Operand months(ZoneSteps zone, Lowered start, Lowered end) {
    Zoned from = zoned(zone, start.value());
    Zoned to = zoned(zone, end.value());
    Operand fromTime = microOfDay(from);
    Operand toTime = microOfDay(to);
    TileValue back =
        builder.and(
            lanes.compare(TileOpcode.GT_I64, to.day(), from.day()),
            lanes.compare(TileOpcode.LT_I64, toTime, fromTime));
    TileValue forth =
        builder.and(
            lanes.compare(TileOpcode.LT_I64, to.day(), from.day()),
            lanes.compare(TileOpcode.GT_I64, toTime, fromTime));
    Operand shift = lanes.subtract(lanes.oneWhere(forth), lanes.oneWhere(back));
    Operand day = lanes.add(to.day(), shift);
    Operand packed = lanes.subtract(packedMonth(day), packedMonth(from.day()));
    return quotient(packed, MOST_DAYS);
  }

  private Operand microOfDay(Zoned time) {
    return lanes.add(lanes.multiply(time.secondOfDay(), MICROS_PER_SECOND), time.micro());
  }

  /** Returns month and day of the month as one number, with 32 days per month. */
  private Operand packedMonth(Operand day) {
    Operand dayOfMonth = builder.lane(TileOpcode.DAY_OF_MONTH, day, 0);
    return lanes.add(lanes.multiply(dates.month(day), MOST_DAYS), dayOfMonth);
  }

  /**
   * Lowers MONTHS_BETWEEN; the third argument tells whether to round to eight digits. Overflowing
   * midnights are errors only where the days of the month show that the difference is not whole
   * months.
   */
  Lowered monthsBetween(Call call, List<Lowered> operands) {
    boolean isRounded = Boolean.TRUE.equals(((Literal) call.arguments().get(2)).value());
    ZoneSteps zone = zone(call);
    TileValue bothValid = lowering.bothValid(operands.get(0), operands.get(1));
    TileValue validity = bothValid;
    Operand[] days = new Operand[2];
    Operand[] daysOfMonth = new Operand[2];
    TileValue areLast = null;
    for (int i = 0; i < 2; i++) {
      days[i] = zoned(zone, operands.get(i).value()).day();
      daysOfMonth[i] = builder.lane(TileOpcode.DAY_OF_MONTH, days[i], 0);
      Operand last = dates.lastDay(dates.month(days[i]));
      areLast = builder.and(areLast, lanes.compare(TileOpcode.EQ_I64, last, days[i]));
    }
    Operand months = lanes.subtract(dates.month(days[0]), dates.month(days[1]));
    TileValue isWhole =
        builder.or(lanes.compare(TileOpcode.EQ_I64, daysOfMonth[0], daysOfMonth[1]), areLast);
    TileValue outer = lowering.live();
    lowering.setLive(builder.andNot(outer, isWhole));
    Operand[] seconds = new Operand[2];
    for (int i = 0; i < 2; i++) {
      Lowered start = micros(call, validity, midnight(zone, days[i]));
      Operand micros = lanes.subtract(operands.get(i).value(), start.value());
      seconds[i] = quotient(micros, (int) MICROS_PER_SECOND);
      validity = start.validity();
    }
    lowering.setLive(outer);
    if (validity != bothValid) {
      validity = builder.or(validity, builder.and(bothValid, isWhole));
    }
    Operand rest =
        lanes.add(
            lanes.multiply(lanes.subtract(daysOfMonth[0], daysOfMonth[1]), SECONDS_PER_DAY),
            lanes.subtract(seconds[0], seconds[1]));
    Operand whole = builder.lane(TileOpcode.I64_TO_F64, months, 0);
    Operand fraction = floating(TileOpcode.DIV_F64, toDouble(rest), MONTH_SECONDS);
    Operand exact = builder.lanes(TileOpcode.ADD_F64, whole, fraction);
    Operand result = lanes.select(isWhole, whole, isRounded ? rounded(exact) : exact);
    return Lowered.of(call.type(), Form.DOUBLE, result, validity);
  }

  private Operand toDouble(Operand a) {
    return builder.lane(TileOpcode.I64_TO_F64, a, 0);
  }

  private Operand floating(TileOpcode opcode, Operand a, double b) {
    return builder.lanes(opcode, a, Operand.of(b));
  }

  /** Rounds to eight digits as Spark does: {@code math.round(a * 1e8) / 1e8}, ties up. */
  private Operand rounded(Operand a) {
    Operand scaled = floating(TileOpcode.MUL_F64, a, 1e8);
    Operand floor = builder.lane(TileOpcode.FLOOR_F64, scaled, 0);
    Operand fraction = builder.lanes(TileOpcode.SUB_F64, scaled, floor);
    TileValue up = builder.compare(TileOpcode.GE_F64, Kind.LANE, fraction, Operand.of(0.5));
    Operand one = lanes.select(up, Operand.of(1.0), Operand.of(0.0));
    // -0.0 is 0 among the integers that Math.round gives
    Operand whole =
        floating(TileOpcode.ADD_F64, builder.lanes(TileOpcode.ADD_F64, floor, one), 0.0);
    return floating(TileOpcode.DIV_F64, whole, 1e8);
  }

  /** Lowers TIMESTAMP_ADD of a number of units, the first argument, to the second. */
  Lowered add(Call call, List<Lowered> operands) {
    CalendarUnit unit = DateLowering.unitOf(call.arguments().get(2));
    Lowered quantity = operands.get(0);
    Lowered a = operands.get(1);
    TileValue validity = lowering.bothValid(quantity, a);
    FailureSite site = FailureSite.of(call, ExpressionError.ARITHMETIC_OVERFLOW);
    long factor = factor(unit);
    TileOperation product =
        builder.withOverflow(
            Kind.LANE,
            Action.of(
                TileOpcode.MUL_OVERFLOW_I64,
                Operand.of(builder.lane(quantity.value())),
                Operand.of(factor)));
    Operand amount = Operand.of(product.result());
    TileValue overflow = product.overflow();
    if (unit.compareTo(CalendarUnit.DAY) >= 0) {
      overflow =
          builder.or(overflow, lanes.compare(TileOpcode.NE_I64, amount, lanes.toInt(amount)));
    }
    validity = lowering.failing(integer(call, amount, validity), overflow, site).validity();
    if (unit.compareTo(CalendarUnit.DAY) < 0) {
      return sumOf(call, a, amount, validity);
    }
    return unit.compareTo(CalendarUnit.MONTH) < 0
        ? plusDays(call, a, amount, Operand.of(0L), validity)
        : plusMonths(call, a, amount, validity);
  }

  /**
   * Returns the factor of a unit: microseconds for times, days for days and weeks, months for
   * longer units.
   */
  private static long factor(CalendarUnit unit) {
    return switch (unit) {
      case MICROSECOND, DAY, MONTH -> 1;
      case MILLISECOND -> 1000;
      case SECOND, MINUTE, HOUR -> MICROS_PER_SECOND * secondsOf(unit);
      case WEEK -> 7;
      case QUARTER -> 3;
      case YEAR -> 12;
    };
  }

  /** Lowers UNIX_TIME: whole units since 1970, rounded down. */
  Lowered unixTime(Call call, Lowered a) {
    CalendarUnit unit = DateLowering.unitOf(call.arguments().get(1));
    Operand value =
        switch (unit) {
          case MICROSECOND -> a.value();
          case SECOND -> builder.lane(TileOpcode.SECOND_OF_MICROS, a.value(), 0);
          default -> builder.lanes(TileOpcode.FLOOR_DIV_I64, a.value(), Operand.of(1000L));
        };
    return integer(call, value, a.validity());
  }

  /** Lowers FROM_UNIX_TIME. */
  Lowered fromUnixTime(Call call, Lowered a) {
    long factor = factor(DateLowering.unitOf(call.arguments().get(1)));
    return fitted(call, a.validity(), wideProduct(a.value(), factor));
  }

  /** Lowers SCALE_INTERVAL. */
  Lowered scaled(Call call, Lowered a, Lowered b) {
    Operand x = builder.onlyOneConstant(a.value(), b.value(), Kind.LANE);
    Action multiply = Action.of(TileOpcode.MUL_WIDE_I64, x, b.value());
    Operand product = Operand.of(builder.value(Kind.PAIR, multiply));
    Lowered result = fitted(call, lowering.bothValid(a, b), product);
    if (call.type() == PrimitiveType.INTERVAL_DAY_TIME) {
      return result;
    }
    TileValue overflow =
        lanes.compare(TileOpcode.NE_I64, result.value(), lanes.toInt(result.value()));
    return lowering.failing(
        result, overflow, FailureSite.of(call, ExpressionError.ARITHMETIC_OVERFLOW));
  }

  /** Lowers INTERVAL_FIELD, whose second argument is the unit. */
  Lowered intervalField(Call call, Lowered a) {
    CalendarUnit unit = DateLowering.unitOf(call.arguments().get(1));
    Operand value =
        switch (unit) {
          case YEAR -> quotient(a.value(), MONTHS_PER_YEAR);
          case MONTH -> remainder(a.value(), MONTHS_PER_YEAR);
          case DAY -> builder.lanes(TileOpcode.DIV_I64, a.value(), Operand.of(MICROS_PER_DAY));
          case HOUR -> part(a.value(), MICROS_PER_DAY, SECONDS_PER_HOUR);
          case MINUTE -> part(a.value(), SECONDS_PER_HOUR * MICROS_PER_SECOND, SECONDS_PER_MINUTE);
          default -> remainder(a.value(), SECONDS_PER_MINUTE * MICROS_PER_SECOND);
        };
    BigInteger bound = BigInteger.valueOf(SECONDS_PER_MINUTE * MICROS_PER_SECOND);
    return new Lowered(
        call.type(),
        Form.INTEGER,
        value,
        a.validity(),
        call.type() instanceof DecimalType ? bound : null);
  }

  private Operand remainder(Operand a, long divisor) {
    return builder.lanes(TileOpcode.REM_I64, a, Operand.of(divisor));
  }

  private Operand part(Operand micros, long whole, int seconds) {
    Operand divisor = Operand.of(seconds * MICROS_PER_SECOND);
    return builder.lanes(TileOpcode.DIV_I64, remainder(micros, whole), divisor);
  }

  /** Lowers SUBTRACT_DATES, of which Spark computes the days in 32 bits. */
  Lowered subtractDates(Call call, Lowered a, Lowered b) {
    Operand days = lanes.subtract(a.value(), b.value());
    Lowered result = fitted(call, lowering.bothValid(a, b), wideProduct(days, MICROS_PER_DAY));
    TileValue overflow = lanes.compare(TileOpcode.NE_I64, days, lanes.toInt(days));
    return lowering.failing(
        result, overflow, FailureSite.of(call, ExpressionError.ARITHMETIC_OVERFLOW));
  }
}
