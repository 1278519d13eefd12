package io.ariadne.expression;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.temporal.IsoFields;
import java.util.List;

/** Functions of dates of the reference interpreter, after Spark's DateTimeUtils. */
final class ReferenceDates {
  private ReferenceDates() {}

  /** Returns the value of a function of dates, or null for another function. */
  static Object apply(Call call, int a, Object other) {
    int b = other instanceof Number number ? number.intValue() : 0;
    return switch (call.function()) {
      case DATE_ADD -> a + b;
      case DATE_SUB, DATE_DIFF -> a - b;
      case ADD_MONTHS -> day(call, LocalDate.ofEpochDay(a).plusMonths(b));
      case NEXT_DAY -> nextDay(a, b);
      case TRUNC_DATE -> truncated(call, a, CalendarUnit.values()[b]);
      case LAST_DAY -> {
        LocalDate date = LocalDate.ofEpochDay(a);
        yield a - date.getDayOfMonth() + date.lengthOfMonth();
      }
      default -> field(call.function(), LocalDate.ofEpochDay(a));
    };
  }

  private static Object day(Call call, LocalDate date) {
    long day = date.toEpochDay();
    return day == (int) day
        ? (Object) (int) day
        : ReferenceArithmetic.failure(call.mode(), ExpressionError.ARITHMETIC_OVERFLOW);
  }

  private static int nextDay(int start, int dayOfWeek) {
    return start + 1 + ((dayOfWeek - 1 - start) % 7 + 7) % 7;
  }

  private static Object truncated(Call call, int day, CalendarUnit unit) {
    LocalDate date = LocalDate.ofEpochDay(day);
    return switch (unit) {
      case WEEK -> nextDay(day - 7, 4);
      case MONTH -> day - date.getDayOfMonth() + 1;
      case YEAR -> day - date.getDayOfYear() + 1;
      default -> day(call, date.with(IsoFields.DAY_OF_QUARTER, 1));
    };
  }

  private static Integer field(Function function, LocalDate date) {
    return switch (function) {
      case YEAR -> date.getYear();
      case QUARTER -> date.get(IsoFields.QUARTER_OF_YEAR);
      case MONTH -> date.getMonthValue();
      case DAY_OF_MONTH -> date.getDayOfMonth();
      case DAY_OF_YEAR -> date.getDayOfYear();
      case DAY_OF_WEEK -> date.getDayOfWeek().plus(1).getValue();
      case WEEK_DAY -> date.getDayOfWeek().ordinal();
      case WEEK_OF_YEAR -> date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
      case YEAR_OF_WEEK -> date.get(IsoFields.WEEK_BASED_YEAR);
      default -> throw new IllegalArgumentException(function.toString());
    };
  }

  /** MAKE_DATE of values of which none is null. */
  static Object make(Call call, List<Object> fields) {
    try {
      return day(
          call,
          LocalDate.of((Integer) fields.get(0), (Integer) fields.get(1), (Integer) fields.get(2)));
    } catch (DateTimeException e) {
      boolean raises = (Boolean) fields.get(3);
      return ReferenceArithmetic.failure(
          raises ? EvaluationMode.ANSI : EvaluationMode.LEGACY, ExpressionError.INVALID_DATE);
    }
  }
}
