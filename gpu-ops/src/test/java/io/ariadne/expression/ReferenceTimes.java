package io.ariadne.expression;

import io.ariadne.columnar.type.PrimitiveType;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Functions of timestamps of the reference interpreter, after Spark's DateTimeUtils. */
final class ReferenceTimes {
  private static final long MICROS_PER_SECOND = 1_000_000L;
  private static final long MICROS_PER_DAY = 86_400_000_000L;

  /** Functions of timestamps. */
  static final Set<Function> FUNCTIONS =
      EnumSet.range(Function.LOCAL_DATE, Function.INTERVAL_FIELD);

  private ReferenceTimes() {}

  /** Returns the value of a function of arguments of which none is null. */
  static Object apply(Call call, List<Object> arguments) {
    try {
      return value(call, arguments);
    } catch (ArithmeticException | DateTimeException e) {
      return ReferenceArithmetic.failure(call.mode(), ExpressionError.ARITHMETIC_OVERFLOW);
    }
  }

  private static Object value(Call call, List<Object> arguments) {
    Object last = arguments.get(arguments.size() - 1);
    ZoneId zone = last instanceof String id ? ZoneId.of(id) : null;
    long a = ((Number) arguments.get(0)).longValue();
    long b = arguments.get(1) instanceof Number number ? number.longValue() : 0;
    return switch (call.function()) {
      case LOCAL_DATE -> Math.toIntExact(local(a, zone).toLocalDate().toEpochDay());
      case START_OF_DAY -> micros(LocalDate.ofEpochDay(a).atStartOfDay(zone).toInstant());
      case TO_LOCAL -> micros(local(a, zone).toInstant(ZoneOffset.UTC));
      case FROM_LOCAL -> micros(local(a, ZoneOffset.UTC).atZone(zone).toInstant());
      case HOUR -> local(a, zone).getHour();
      case MINUTE -> local(a, zone).getMinute();
      case SECOND -> local(a, zone).getSecond();
      case SECOND_WITH_FRACTION -> {
        LocalDateTime time = local(a, zone);
        long micro = time.getLong(ChronoField.MICRO_OF_SECOND);
        yield BigInteger.valueOf(time.getSecond() * MICROS_PER_SECOND + micro);
      }
      case TRUNC_TIMESTAMP -> truncated(a, CalendarUnit.values()[(int) b], zone);
      case ADD_MONTHS_TO_TIME -> micros(instant(a).atZone(zone).plusMonths(b).toInstant());
      case ADD_DAY_TIME -> {
        long days = b / MICROS_PER_DAY;
        ZonedDateTime day = instant(a).atZone(zone).plusDays(days);
        yield micros(day.plus(b - days * MICROS_PER_DAY, ChronoUnit.MICROS).toInstant());
      }
      case SUBTRACT_TIMESTAMPS -> ChronoUnit.MICROS.between(local(b, zone), local(a, zone));
      case SUBTRACT_DATES ->
          Math.multiplyExact(Math.subtractExact((int) a, (int) b), MICROS_PER_DAY);
      case TIMESTAMP_ADD -> added(unit(arguments), a, b, zone);
      case TIMESTAMP_DIFF -> between(unit(arguments), local(a, zone), local(b, zone));
      case MONTHS_BETWEEN -> monthsBetween(a, b, (Boolean) arguments.get(2), zone);
      case SCALE_INTERVAL -> {
        long product = Math.multiplyExact(a, b);
        yield call.type() == PrimitiveType.INTERVAL_YEAR_MONTH
            ? (Object) Math.toIntExact(product)
            : (Object) product;
      }
      case INTERVAL_FIELD -> field(CalendarUnit.values()[(int) b], a);
      case UNIX_TIME -> Math.floorDiv(a, unitMicros(CalendarUnit.values()[(int) b]));
      default -> Math.multiplyExact(a, unitMicros(CalendarUnit.values()[(int) b]));
    };
  }

  private static Object field(CalendarUnit unit, long interval) {
    long minute = 60 * MICROS_PER_SECOND;
    return switch (unit) {
      case YEAR -> (int) (interval / 12);
      case MONTH -> (byte) (interval % 12);
      case DAY -> (int) (interval / MICROS_PER_DAY);
      case HOUR -> (byte) (interval % MICROS_PER_DAY / (60 * minute));
      case MINUTE -> (byte) (interval % (60 * minute) / minute);
      default -> BigInteger.valueOf(interval % minute);
    };
  }

  private static CalendarUnit unit(List<Object> arguments) {
    return CalendarUnit.values()[(Integer) arguments.get(2)];
  }

  private static long unitMicros(CalendarUnit unit) {
    return switch (unit) {
      case MICROSECOND -> 1;
      case MILLISECOND -> 1000;
      case SECOND -> MICROS_PER_SECOND;
      case MINUTE -> 60 * MICROS_PER_SECOND;
      case HOUR -> 3600 * MICROS_PER_SECOND;
      default -> throw new IllegalArgumentException(unit.toString());
    };
  }

  private static Instant instant(long micros) {
    long second = Math.floorDiv(micros, MICROS_PER_SECOND);
    return Instant.ofEpochSecond(second, (micros - second * MICROS_PER_SECOND) * 1000);
  }

  private static LocalDateTime local(long micros, ZoneId zone) {
    return instant(micros).atZone(zone).toLocalDateTime();
  }

  private static long micros(Instant instant) {
    return BigInteger.valueOf(instant.getEpochSecond())
        .multiply(BigInteger.valueOf(MICROS_PER_SECOND))
        .add(BigInteger.valueOf(instant.getNano() / 1000))
        .longValueExact();
  }

  private static long truncated(long micros, CalendarUnit unit, ZoneId zone) {
    ZonedDateTime time = instant(micros).atZone(zone);
    return switch (unit) {
      case MICROSECOND -> micros;
      case MILLISECOND, SECOND -> micros - Math.floorMod(micros, unitMicros(unit));
      case MINUTE -> micros(time.truncatedTo(ChronoUnit.MINUTES).toInstant());
      case HOUR -> micros(time.truncatedTo(ChronoUnit.HOURS).toInstant());
      case DAY -> micros(time.truncatedTo(ChronoUnit.DAYS).toInstant());
      default -> {
        int day = (int) time.toLocalDate().toEpochDay();
        Call ofDate =
            new Call(
                Function.TRUNC_DATE,
                List.of(),
                PrimitiveType.DATE32,
                true,
                EvaluationMode.ANSI,
                -1);
        int first = (Integer) ReferenceDates.apply(ofDate, day, unit.ordinal());
        yield micros(LocalDate.ofEpochDay(first).atStartOfDay(zone).toInstant());
      }
    };
  }

  private static long added(CalendarUnit unit, long quantity, long micros, ZoneId zone) {
    ZonedDateTime time = instant(micros).atZone(zone);
    int count = unit.compareTo(CalendarUnit.DAY) < 0 ? 0 : Math.toIntExact(quantity);
    ZonedDateTime result =
        switch (unit) {
          case DAY -> time.plusDays(count);
          case WEEK -> time.plusDays(Math.multiplyExact(count, 7));
          case MONTH -> time.plusMonths(count);
          case QUARTER -> time.plusMonths(Math.multiplyExact(count, 3));
          case YEAR -> time.plusMonths(Math.multiplyExact(count, 12));
          default -> time.plus(Math.multiplyExact(quantity, unitMicros(unit)), ChronoUnit.MICROS);
        };
    return micros(result.toInstant());
  }

  private static long between(CalendarUnit unit, LocalDateTime start, LocalDateTime end) {
    return switch (unit) {
      case MICROSECOND -> ChronoUnit.MICROS.between(start, end);
      case MILLISECOND -> ChronoUnit.MILLIS.between(start, end);
      case SECOND -> ChronoUnit.SECONDS.between(start, end);
      case MINUTE -> ChronoUnit.MINUTES.between(start, end);
      case HOUR -> ChronoUnit.HOURS.between(start, end);
      case DAY -> ChronoUnit.DAYS.between(start, end);
      case WEEK -> ChronoUnit.WEEKS.between(start, end);
      case MONTH -> ChronoUnit.MONTHS.between(start, end);
      case QUARTER -> ChronoUnit.MONTHS.between(start, end) / 3;
      case YEAR -> ChronoUnit.YEARS.between(start, end);
    };
  }

  private static double monthsBetween(long a, long b, boolean isRounded, ZoneId zone) {
    LocalDate date1 = local(a, zone).toLocalDate();
    LocalDate date2 = local(b, zone).toLocalDate();
    long months1 = date1.getYear() * 12L + date1.getMonthValue();
    double months = months1 - (date2.getYear() * 12L + date2.getMonthValue());
    boolean areLast =
        date1.getDayOfMonth() == date1.lengthOfMonth()
            && date2.getDayOfMonth() == date2.lengthOfMonth();
    if (date1.getDayOfMonth() == date2.getDayOfMonth() || areLast) {
      return months;
    }
    long seconds1 = (a - micros(date1.atStartOfDay(zone).toInstant())) / MICROS_PER_SECOND;
    long seconds2 = (b - micros(date2.atStartOfDay(zone).toInstant())) / MICROS_PER_SECOND;
    int days = date1.getDayOfMonth() - date2.getDayOfMonth();
    double exact = months + (days * 86_400L + seconds1 - seconds2) / (31 * 86_400.0);
    return isRounded ? Math.round(exact * 1e8) / 1e8 : exact;
  }
}
