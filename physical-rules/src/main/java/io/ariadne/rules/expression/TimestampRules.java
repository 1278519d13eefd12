package io.ariadne.rules.expression;

import io.ariadne.bridge.expression.TimestampPlusInterval;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.CalendarUnit;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.catalyst.expressions.BinaryExpression;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExtractANSIIntervalDays;
import org.apache.spark.sql.catalyst.expressions.ExtractANSIIntervalHours;
import org.apache.spark.sql.catalyst.expressions.ExtractANSIIntervalMinutes;
import org.apache.spark.sql.catalyst.expressions.ExtractANSIIntervalMonths;
import org.apache.spark.sql.catalyst.expressions.ExtractANSIIntervalSeconds;
import org.apache.spark.sql.catalyst.expressions.ExtractANSIIntervalYears;
import org.apache.spark.sql.catalyst.expressions.FromUTCTimestamp;
import org.apache.spark.sql.catalyst.expressions.Hour;
import org.apache.spark.sql.catalyst.expressions.MicrosToTimestamp;
import org.apache.spark.sql.catalyst.expressions.MillisToTimestamp;
import org.apache.spark.sql.catalyst.expressions.Minute;
import org.apache.spark.sql.catalyst.expressions.MonthsBetween;
import org.apache.spark.sql.catalyst.expressions.MultiplyDTInterval;
import org.apache.spark.sql.catalyst.expressions.MultiplyYMInterval;
import org.apache.spark.sql.catalyst.expressions.Second;
import org.apache.spark.sql.catalyst.expressions.SecondWithFraction;
import org.apache.spark.sql.catalyst.expressions.SecondsToTimestamp;
import org.apache.spark.sql.catalyst.expressions.SubtractDates;
import org.apache.spark.sql.catalyst.expressions.SubtractTimestamps;
import org.apache.spark.sql.catalyst.expressions.TimeZoneAwareExpression;
import org.apache.spark.sql.catalyst.expressions.TimestampAdd;
import org.apache.spark.sql.catalyst.expressions.TimestampAddYMInterval;
import org.apache.spark.sql.catalyst.expressions.TimestampDiff;
import org.apache.spark.sql.catalyst.expressions.ToUTCTimestamp;
import org.apache.spark.sql.catalyst.expressions.ToUnixTimestamp;
import org.apache.spark.sql.catalyst.expressions.TruncTimestamp;
import org.apache.spark.sql.catalyst.expressions.UnixMicros;
import org.apache.spark.sql.catalyst.expressions.UnixMillis;
import org.apache.spark.sql.catalyst.expressions.UnixSeconds;
import org.apache.spark.sql.catalyst.expressions.UnixTimestamp;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.types.DateType$;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.LongType$;
import org.apache.spark.sql.types.TimestampNTZType$;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Functions of timestamps. The time zone of the session, or of a literal, becomes the last
 * argument. A function that java.time computes raises in every mode when its result does not fit.
 */
final class TimestampRules {
  private TimestampRules() {}

  static List<ExpressionRule<?>> rules() {
    List<ExpressionRule<?>> rules = new ArrayList<>();
    rules.add(field(Hour.class, Function.HOUR));
    rules.add(field(Minute.class, Function.MINUTE));
    rules.add(field(Second.class, Function.SECOND));
    rules.add(field(SecondWithFraction.class, Function.SECOND_WITH_FRACTION));
    rules.add(
        ExpressionRule.of(
            FromUTCTimestamp.class,
            Function.TO_LOCAL,
            "a literal time zone",
            (e, walk) -> shifted(Function.TO_LOCAL, e, walk)));
    rules.add(
        ExpressionRule.of(
            ToUTCTimestamp.class,
            Function.FROM_LOCAL,
            "a literal time zone",
            (e, walk) -> shifted(Function.FROM_LOCAL, e, walk)));
    rules.add(
        ExpressionRule.of(
            TruncTimestamp.class,
            Function.TRUNC_TIMESTAMP,
            "to a literal unit",
            TimestampRules::truncate));
    rules.add(
        ExpressionRule.of(
            TimestampAddYMInterval.class,
            Function.ADD_MONTHS_TO_TIME,
            (e, walk) -> zoned(Function.ADD_MONTHS_TO_TIME, e, e.left(), e, walk)));
    rules.add(
        ExpressionRule.of(
            TimestampPlusInterval.SPARK_CLASS,
            Function.ADD_DAY_TIME,
            (e, walk) -> zoned(Function.ADD_DAY_TIME, e, e.left(), e, walk)));
    rules.add(
        ExpressionRule.of(
            SubtractTimestamps.class,
            Function.SUBTRACT_TIMESTAMPS,
            (e, walk) -> zoned(Function.SUBTRACT_TIMESTAMPS, e, e.left(), e, walk)));
    rules.add(
        ExpressionRule.of(
            SubtractDates.class,
            Function.SUBTRACT_DATES,
            (e, walk) ->
                walk.call(Function.SUBTRACT_DATES, e, EvaluationMode.ANSI, walk.children(e))));
    rules.add(
        ExpressionRule.of(
            TimestampAdd.class, Function.TIMESTAMP_ADD, TimestampRules::timestampAdd));
    rules.add(
        ExpressionRule.of(
            TimestampDiff.class, Function.TIMESTAMP_DIFF, TimestampRules::timestampDiff));
    rules.add(
        ExpressionRule.of(
            MonthsBetween.class, Function.MONTHS_BETWEEN, TimestampRules::monthsBetween));
    rules.add(unixTimestamp(UnixTimestamp.class, UnixTimestamp::zoneId));
    rules.add(unixTimestamp(ToUnixTimestamp.class, ToUnixTimestamp::zoneId));
    rules.addAll(unixTimes());
    rules.addAll(intervals());
    return rules;
  }

  /** Seconds towards zero, of dates and timestamps: strings are parsed by Spark. */
  private static <E extends BinaryExpression> ExpressionRule<E> unixTimestamp(
      Class<E> sparkClass, java.util.function.Function<E, ZoneId> zoneOf) {
    return ExpressionRule.of(
        sparkClass,
        Function.INTEGRAL_DIVIDE,
        "of dates and timestamps",
        (e, walk) -> {
          Expression time = e.left();
          io.ariadne.expression.Expression micros = walk.operand(time);
          if (time.dataType().equals(DateType$.MODULE$)) {
            micros =
                walk.call(
                    Function.START_OF_DAY,
                    PrimitiveType.TIMESTAMP_MICROS,
                    e,
                    EvaluationMode.ANSI,
                    List.of(micros, zone(zoneOf.apply(e))));
          }
          micros =
              walk.call(
                  Function.REINTERPRET,
                  PrimitiveType.INT64,
                  e,
                  EvaluationMode.LEGACY,
                  List.of(micros));
          Literal second = new Literal(1_000_000L, PrimitiveType.INT64);
          return walk.call(
              Function.INTEGRAL_DIVIDE, e, EvaluationMode.LEGACY, List.of(micros, second));
        });
  }

  private static List<ExpressionRule<?>> intervals() {
    return List.of(
        scaled(MultiplyYMInterval.class),
        scaled(MultiplyDTInterval.class),
        intervalField(ExtractANSIIntervalYears.class, CalendarUnit.YEAR),
        intervalField(ExtractANSIIntervalMonths.class, CalendarUnit.MONTH),
        intervalField(ExtractANSIIntervalDays.class, CalendarUnit.DAY),
        intervalField(ExtractANSIIntervalHours.class, CalendarUnit.HOUR),
        intervalField(ExtractANSIIntervalMinutes.class, CalendarUnit.MINUTE),
        intervalField(ExtractANSIIntervalSeconds.class, CalendarUnit.SECOND));
  }

  private static <E extends Expression> ExpressionRule<E> scaled(Class<E> sparkClass) {
    return ExpressionRule.of(
        sparkClass,
        Function.SCALE_INTERVAL,
        (e, walk) -> walk.call(Function.SCALE_INTERVAL, e, EvaluationMode.ANSI, walk.children(e)));
  }

  private static <E extends Expression> ExpressionRule<E> intervalField(
      Class<E> sparkClass, CalendarUnit unit) {
    return ExpressionRule.of(
        sparkClass,
        Function.INTERVAL_FIELD,
        (e, walk) -> {
          List<io.ariadne.expression.Expression> arguments =
              List.of(walk.operand(e.children().head()), ordinal(unit));
          return walk.call(Function.INTERVAL_FIELD, e, EvaluationMode.LEGACY, arguments);
        });
  }

  private static List<ExpressionRule<?>> unixTimes() {
    return List.of(
        ExpressionRule.of(
            UnixSeconds.class,
            Function.UNIX_TIME,
            (e, walk) -> unixTime(e, e.child(), CalendarUnit.SECOND, walk)),
        ExpressionRule.of(
            UnixMillis.class,
            Function.UNIX_TIME,
            (e, walk) -> unixTime(e, e.child(), CalendarUnit.MILLISECOND, walk)),
        ExpressionRule.of(
            UnixMicros.class,
            Function.UNIX_TIME,
            (e, walk) -> unixTime(e, e.child(), CalendarUnit.MICROSECOND, walk)),
        ExpressionRule.of(
            SecondsToTimestamp.class,
            Function.FROM_UNIX_TIME,
            (e, walk) -> fromUnixTime(e, e.child(), CalendarUnit.SECOND, walk)),
        ExpressionRule.of(
            MillisToTimestamp.class,
            Function.FROM_UNIX_TIME,
            (e, walk) -> fromUnixTime(e, e.child(), CalendarUnit.MILLISECOND, walk)),
        ExpressionRule.of(
            MicrosToTimestamp.class,
            Function.FROM_UNIX_TIME,
            (e, walk) -> fromUnixTime(e, e.child(), CalendarUnit.MICROSECOND, walk)));
  }

  /** Returns a time zone as an argument. */
  static Literal zone(ZoneId zone) {
    return new Literal(zone.getId().getBytes(StandardCharsets.UTF_8), PrimitiveType.STRING);
  }

  /** Returns the zone in which an expression reads a timestamp: UTC for a local timestamp. */
  static Literal zoneOf(TimeZoneAwareExpression expression, Expression timestamp) {
    boolean isLocal = timestamp.dataType().equals(TimestampNTZType$.MODULE$);
    return zone(isLocal ? ZoneOffset.UTC : expression.zoneId());
  }

  private static Literal ordinal(CalendarUnit unit) {
    return new Literal(unit.ordinal(), PrimitiveType.INT32);
  }

  private static <E extends Expression & TimeZoneAwareExpression> ExpressionRule<E> field(
      Class<E> sparkClass, Function function) {
    return ExpressionRule.of(
        sparkClass,
        function,
        (e, walk) -> {
          Expression child = e.children().head();
          return walk.call(
              function, e, EvaluationMode.LEGACY, List.of(walk.operand(child), zoneOf(e, child)));
        });
  }

  private static io.ariadne.expression.Expression shifted(
      Function function, BinaryExpression e, ExpressionWalk walk) {
    Literal id = walk.constant(e.right());
    String name = new String((byte[]) id.value(), StandardCharsets.UTF_8);
    ZoneId zone;
    try {
      zone = DateTimeUtils.getZoneId(name);
    } catch (RuntimeException noZone) { // Spark's own error comes when it evaluates
      throw new NoKernelException(name + " is no time zone");
    }
    return walk.call(function, e, EvaluationMode.ANSI, List.of(walk.operand(e.left()), zone(zone)));
  }

  private static io.ariadne.expression.Expression truncate(TruncTimestamp e, ExpressionWalk walk) {
    Literal name = walk.constant(e.format());
    int level = DateTimeUtils.parseTruncLevel(UTF8String.fromBytes((byte[]) name.value()));
    if (level < 0) {
      throw new NoKernelException(e.format() + " is no unit of time");
    }
    CalendarUnit unit = CalendarUnit.values()[level];
    boolean isOfClock = unit.compareTo(CalendarUnit.SECOND) <= 0;
    return walk.call(
        Function.TRUNC_TIMESTAMP,
        e,
        isOfClock ? EvaluationMode.LEGACY : EvaluationMode.ANSI,
        List.of(walk.operand(e.timestamp()), ordinal(unit), zoneOf(e, e.timestamp())));
  }

  /** Builds a call of both children and a time zone. */
  private static io.ariadne.expression.Expression zoned(
      Function function,
      BinaryExpression e,
      Expression timestamp,
      TimeZoneAwareExpression aware,
      ExpressionWalk walk,
      Literal... constants) {
    List<io.ariadne.expression.Expression> arguments = new ArrayList<>(walk.children(e));
    arguments.addAll(List.of(constants));
    arguments.add(zoneOf(aware, timestamp));
    return walk.call(function, e, EvaluationMode.ANSI, arguments);
  }

  private static io.ariadne.expression.Expression timestampAdd(
      TimestampAdd e, ExpressionWalk walk) {
    String name = e.unit().toUpperCase(Locale.ROOT);
    return zoned(
        Function.TIMESTAMP_ADD,
        e,
        e.timestamp(),
        e,
        walk,
        unit(name.equals("DAYOFYEAR") ? "DAY" : name));
  }

  private static io.ariadne.expression.Expression timestampDiff(
      TimestampDiff e, ExpressionWalk walk) {
    return zoned(
        Function.TIMESTAMP_DIFF, e, e.right(), e, walk, unit(e.unit().toUpperCase(Locale.ROOT)));
  }

  private static Literal unit(String name) {
    for (CalendarUnit unit : CalendarUnit.values()) {
      if (unit.name().equals(name)) {
        return ordinal(unit);
      }
    }
    throw new NoKernelException(name + " is no unit of time");
  }

  private static io.ariadne.expression.Expression monthsBetween(
      MonthsBetween e, ExpressionWalk walk) {
    return walk.call(
        Function.MONTHS_BETWEEN,
        e,
        EvaluationMode.ANSI,
        List.of(
            walk.operand(e.date1()),
            walk.guardedOperand(e.date2()),
            walk.constant(e.roundOff()),
            zone(e.zoneId())));
  }

  private static io.ariadne.expression.Expression unixTime(
      Expression e, Expression child, CalendarUnit unit, ExpressionWalk walk) {
    return walk.call(
        Function.UNIX_TIME, e, EvaluationMode.LEGACY, List.of(walk.operand(child), ordinal(unit)));
  }

  private static io.ariadne.expression.Expression fromUnixTime(
      Expression e, Expression child, CalendarUnit unit, ExpressionWalk walk) {
    if (!(child.dataType() instanceof IntegralType)) {
      throw new NoKernelException("it is made of " + child.dataType().sql());
    }
    boolean fits = unit == CalendarUnit.MICROSECOND || !child.dataType().equals(LongType$.MODULE$);
    return walk.call(
        Function.FROM_UNIX_TIME,
        e,
        fits ? EvaluationMode.LEGACY : EvaluationMode.ANSI,
        List.of(walk.operand(child), ordinal(unit)));
  }
}
