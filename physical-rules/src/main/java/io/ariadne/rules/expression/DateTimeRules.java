package io.ariadne.rules.expression;

import io.ariadne.expression.Function;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.DateAdd;
import org.apache.spark.sql.catalyst.expressions.DateSub;
import org.apache.spark.sql.catalyst.expressions.DayOfMonth;
import org.apache.spark.sql.catalyst.expressions.DayOfYear;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Month;
import org.apache.spark.sql.catalyst.expressions.Quarter;
import org.apache.spark.sql.catalyst.expressions.Year;

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
        simple(DateSub.class, Function.DATE_SUB));
  }

  private static <E extends Expression> ExpressionRule<E> simple(
      Class<E> sparkClass, Function function) {
    return ExpressionRule.of(sparkClass, function, (e, walk) -> walk.call(function, e));
  }
}
