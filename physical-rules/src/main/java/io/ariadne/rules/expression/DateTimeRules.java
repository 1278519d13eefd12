package io.ariadne.rules.expression;

import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.CalendarUnit;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.AddMonths;
import org.apache.spark.sql.catalyst.expressions.DateAdd;
import org.apache.spark.sql.catalyst.expressions.DateAddYMInterval;
import org.apache.spark.sql.catalyst.expressions.DateDiff;
import org.apache.spark.sql.catalyst.expressions.DateFromUnixDate;
import org.apache.spark.sql.catalyst.expressions.DateSub;
import org.apache.spark.sql.catalyst.expressions.DayOfMonth;
import org.apache.spark.sql.catalyst.expressions.DayOfWeek;
import org.apache.spark.sql.catalyst.expressions.DayOfYear;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.LastDay;
import org.apache.spark.sql.catalyst.expressions.MakeDate;
import org.apache.spark.sql.catalyst.expressions.Month;
import org.apache.spark.sql.catalyst.expressions.NextDay;
import org.apache.spark.sql.catalyst.expressions.Quarter;
import org.apache.spark.sql.catalyst.expressions.TruncDate;
import org.apache.spark.sql.catalyst.expressions.UnixDate;
import org.apache.spark.sql.catalyst.expressions.WeekDay;
import org.apache.spark.sql.catalyst.expressions.WeekOfYear;
import org.apache.spark.sql.catalyst.expressions.Year;
import org.apache.spark.sql.catalyst.expressions.YearOfWeek;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.unsafe.types.UTF8String;

/** Parts of dates and date arithmetic. */
final class DateTimeRules {
  private DateTimeRules() {}

  static List<ExpressionRule<?>> rules() {
    return List.of(
        simple(Year.class, Function.YEAR),
        simple(Month.class, Function.MONTH),
        simple(DayOfMonth.class, Function.DAY_OF_MONTH),
        simple(Quarter.class, Function.QUARTER),
        simple(DayOfYear.class, Function.DAY_OF_YEAR),
        simple(DateAdd.class, Function.DATE_ADD),
        simple(DateSub.class, Function.DATE_SUB),
        simple(DayOfWeek.class, Function.DAY_OF_WEEK),
        simple(WeekDay.class, Function.WEEK_DAY),
        simple(WeekOfYear.class, Function.WEEK_OF_YEAR),
        simple(YearOfWeek.class, Function.YEAR_OF_WEEK),
        simple(LastDay.class, Function.LAST_DAY),
        simple(DateDiff.class, Function.DATE_DIFF),
        raising(AddMonths.class, Function.ADD_MONTHS),
        raising(DateAddYMInterval.class, Function.ADD_MONTHS),
        ExpressionRule.of(
            NextDay.class, Function.NEXT_DAY, "a literal day", DateTimeRules::nextDay),
        ExpressionRule.of(
            TruncDate.class, Function.TRUNC_DATE, "to a literal unit", DateTimeRules::truncate),
        ExpressionRule.of(MakeDate.class, Function.MAKE_DATE, DateTimeRules::makeDate),
        ExpressionRule.structural(UnixDate.class, "", (e, walk) -> walk.recast(e, e.child())),
        ExpressionRule.structural(
            DateFromUnixDate.class, "", (e, walk) -> walk.recast(e, e.child())));
  }

  /** A function that java.time computes raises in every mode when its result does not fit. */
  private static <E extends Expression> ExpressionRule<E> raising(
      Class<E> sparkClass, Function function) {
    return ExpressionRule.of(
        sparkClass,
        function,
        (e, walk) -> walk.call(function, e, EvaluationMode.ANSI, walk.children(e)));
  }

  private static io.ariadne.expression.Expression nextDay(NextDay e, ExpressionWalk walk) {
    UTF8String day = text(e.right());
    int number;
    try {
      number = DateTimeUtils.getDayOfWeekFromString(day);
    } catch (IllegalArgumentException notADay) {
      throw new NoKernelException(day + " is no day of the week");
    }
    Literal literal = new Literal(number, PrimitiveType.INT32);
    return walk.call(
        Function.NEXT_DAY, e, EvaluationMode.LEGACY, List.of(walk.operand(e.left()), literal));
  }

  private static UTF8String text(Expression expression) {
    if (expression instanceof org.apache.spark.sql.catalyst.expressions.Literal literal
        && literal.value() instanceof UTF8String text) {
      return text;
    }
    throw new NoKernelException(expression + " is no literal");
  }

  private static io.ariadne.expression.Expression truncate(TruncDate e, ExpressionWalk walk) {
    CalendarUnit unit = unit(text(e.format()));
    if (unit.compareTo(CalendarUnit.WEEK) < 0) {
      throw new NoKernelException("dates have no " + unit);
    }
    EvaluationMode mode =
        unit == CalendarUnit.QUARTER ? EvaluationMode.ANSI : EvaluationMode.LEGACY;
    return walk.call(Function.TRUNC_DATE, e, mode, List.of(walk.operand(e.date()), ordinal(unit)));
  }

  /** Spark numbers the units as we do. */
  private static CalendarUnit unit(UTF8String name) {
    int level = DateTimeUtils.parseTruncLevel(name);
    if (level < 0) {
      throw new NoKernelException(name + " is no unit of time");
    }
    return CalendarUnit.values()[level];
  }

  private static Literal ordinal(CalendarUnit unit) {
    return new Literal(unit.ordinal(), PrimitiveType.INT32);
  }

  /** Dates beyond 32 bits raise in every mode. */
  private static io.ariadne.expression.Expression makeDate(MakeDate e, ExpressionWalk walk) {
    List<io.ariadne.expression.Expression> arguments = new ArrayList<>();
    arguments.add(walk.operand(e.year()));
    arguments.add(walk.guardedOperand(e.month()));
    arguments.add(walk.guardedOperand(e.day()));
    arguments.add(new Literal(e.failOnError(), PrimitiveType.BOOLEAN));
    return walk.call(Function.MAKE_DATE, e, EvaluationMode.ANSI, arguments);
  }

  private static <E extends Expression> ExpressionRule<E> simple(
      Class<E> sparkClass, Function function) {
    return ExpressionRule.of(sparkClass, function, (e, walk) -> walk.call(function, e));
  }
}
