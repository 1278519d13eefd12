package io.ariadne.rules.expression;

import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Function;
import io.ariadne.expression.StringHeaps;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.CheckOverflow;
import org.apache.spark.sql.catalyst.expressions.MakeDecimal;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType$;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType$;
import org.apache.spark.sql.types.FloatType$;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.LongType$;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.TimestampNTZType$;
import org.apache.spark.sql.types.TimestampType$;

/** Conversions between types, decimals among them. */
final class CastRules {
  private CastRules() {}

  static List<ExpressionRule<?>> rules() {
    return List.of(
        ExpressionRule.of(
            Cast.class,
            Function.CAST,
            "of time zones only those of dates and timestamps; strings from and to booleans,"
                + " numbers, dates and timestamps",
            CastRules::cast),
        ExpressionRule.of(
            CheckOverflow.class,
            Function.CHECK_OVERFLOW,
            (e, walk) ->
                walk.call(
                    Function.CHECK_OVERFLOW, e, overflow(e.nullOnOverflow()), walk.children(e))),
        ExpressionRule.of(
            MakeDecimal.class,
            Function.MAKE_DECIMAL,
            (e, walk) ->
                walk.call(
                    Function.MAKE_DECIMAL, e, overflow(e.nullOnOverflow()), walk.children(e))),
        ExpressionRule.of(
            UnscaledValue.class,
            Function.UNSCALED_VALUE,
            (e, walk) -> walk.call(Function.UNSCALED_VALUE, e)));
  }

  private static EvaluationMode overflow(boolean nullOnOverflow) {
    return nullOnOverflow ? EvaluationMode.LEGACY : EvaluationMode.ANSI;
  }

  private static io.ariadne.expression.Expression cast(Cast cast, ExpressionWalk walk) {
    if (cast.child().dataType().equals(cast.dataType())) {
      return walk.operand(cast.child());
    }
    if (walk.type(cast.child()).equals(walk.type(cast))) {
      throw new NoKernelException("it drops fields of an interval");
    }
    if (StringHeaps.isView(walk.type(cast.child())) && StringHeaps.isView(walk.type(cast))) {
      return walk.recast(cast, cast.child());
    }
    if (StringCasts.handles(cast)) {
      return StringCasts.translate(cast, walk);
    }
    requireOneResult(cast);
    Optional<io.ariadne.expression.Expression> ofTime = castOfTime(cast, walk);
    if (ofTime.isPresent()) {
      return ofTime.get();
    }
    if (cast.needsTimeZone()) {
      throw new NoKernelException("it depends on the session's time zone");
    }
    EvaluationMode mode =
        isWidening(cast) ? EvaluationMode.LEGACY : ExpressionWalk.mode(cast.evalMode());
    return walk.call(Function.CAST, cast, mode, walk.children(cast));
  }

  /** Returns whether every value fits, so that no mode raises. */
  private static boolean isWidening(Cast cast) {
    DataType from = cast.child().dataType();
    DataType to = cast.dataType();
    if (to.equals(DoubleType$.MODULE$) || to.equals(FloatType$.MODULE$)) {
      return true;
    }
    if (to instanceof DecimalType) {
      return from instanceof NumericType && Cast.canUpCast(from, to);
    }
    return from instanceof IntegralType
        && to instanceof IntegralType
        && from.defaultSize() <= to.defaultSize();
  }

  /** Outside ANSI mode seconds that do not fit wrap in Spark 3.5 and are null in later lines. */
  private static void requireOneResult(Cast cast) {
    DataType to = cast.dataType();
    boolean isNarrow = to instanceof IntegralType && !to.equals(LongType$.MODULE$);
    boolean isAnsi = ExpressionWalk.mode(cast.evalMode()) == EvaluationMode.ANSI;
    if (cast.child().dataType().equals(TimestampType$.MODULE$) && isNarrow && !isAnsi) {
      throw new NoKernelException("lines of Spark differ in seconds that do not fit");
    }
  }

  /** Casts between dates and timestamps, which raise in every mode where a result does not fit. */
  private static Optional<io.ariadne.expression.Expression> castOfTime(
      Cast cast, ExpressionWalk walk) {
    DataType from = cast.child().dataType();
    DataType to = cast.dataType();
    boolean isInstant = from.equals(TimestampType$.MODULE$);
    boolean isLocal = from.equals(TimestampNTZType$.MODULE$);
    boolean toInstant = to.equals(TimestampType$.MODULE$);
    boolean toLocal = to.equals(TimestampNTZType$.MODULE$);
    Function function = null;
    if (isInstant && to.equals(DateType$.MODULE$)) {
      function = Function.LOCAL_DATE;
    } else if (from.equals(DateType$.MODULE$) && (toInstant || toLocal)) {
      function = Function.START_OF_DAY;
    } else if (isInstant && toLocal) {
      function = Function.TO_LOCAL;
    } else if (isLocal && toInstant) {
      function = Function.FROM_LOCAL;
    }
    if (function == null) {
      return Optional.empty();
    }
    boolean isUtc = function == Function.START_OF_DAY && toLocal;
    EvaluationMode mode =
        function == Function.LOCAL_DATE ? EvaluationMode.LEGACY : EvaluationMode.ANSI;
    return Optional.of(
        walk.call(
            function,
            cast,
            mode,
            List.of(
                walk.operand(cast.child()),
                TimestampRules.zone(isUtc ? ZoneOffset.UTC : cast.zoneId()))));
  }
}
