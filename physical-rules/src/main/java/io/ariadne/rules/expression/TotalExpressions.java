package io.ariadne.rules.expression;

import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.BinaryArithmetic;
import org.apache.spark.sql.catalyst.expressions.CaseWhen;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.Concat;
import org.apache.spark.sql.catalyst.expressions.Contains;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.EndsWith;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetArrayStructFields;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.InputFileBlockLength;
import org.apache.spark.sql.catalyst.expressions.InputFileBlockStart;
import org.apache.spark.sql.catalyst.expressions.InputFileName;
import org.apache.spark.sql.catalyst.expressions.IsNaN;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Length;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Lower;
import org.apache.spark.sql.catalyst.expressions.MapKeys;
import org.apache.spark.sql.catalyst.expressions.MapValues;
import org.apache.spark.sql.catalyst.expressions.MonotonicallyIncreasingID;
import org.apache.spark.sql.catalyst.expressions.Multiply;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.Rand;
import org.apache.spark.sql.catalyst.expressions.Randn;
import org.apache.spark.sql.catalyst.expressions.Remainder;
import org.apache.spark.sql.catalyst.expressions.Shuffle;
import org.apache.spark.sql.catalyst.expressions.Size;
import org.apache.spark.sql.catalyst.expressions.SparkPartitionID;
import org.apache.spark.sql.catalyst.expressions.StartsWith;
import org.apache.spark.sql.catalyst.expressions.StringTrim;
import org.apache.spark.sql.catalyst.expressions.StringTrimLeft;
import org.apache.spark.sql.catalyst.expressions.StringTrimRight;
import org.apache.spark.sql.catalyst.expressions.Substring;
import org.apache.spark.sql.catalyst.expressions.Subtract;
import org.apache.spark.sql.catalyst.expressions.Upper;
import org.apache.spark.sql.catalyst.expressions.Uuid;
import org.apache.spark.sql.types.AnsiIntervalType;
import org.apache.spark.sql.types.CalendarIntervalType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DatetimeType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.NumericType;

/**
 * Decides which of Spark's expressions never raise, whatever their input.
 *
 * <p>The bridge computes whole columns, including rows for which Spark's conditions would skip the
 * computation. That gives the same result only if the computation cannot raise. An expression that
 * is not listed here may raise.
 */
public final class TotalExpressions {
  private static final Set<Class<?>> TOTAL =
      Set.of(
          Alias.class,
          And.class,
          AttributeReference.class,
          CaseWhen.class,
          Coalesce.class,
          Concat.class,
          Contains.class,
          CreateNamedStruct.class,
          EndsWith.class,
          EqualNullSafe.class,
          EqualTo.class,
          GetArrayStructFields.class,
          GetStructField.class,
          GreaterThan.class,
          GreaterThanOrEqual.class,
          If.class,
          In.class,
          InSet.class,
          IsNaN.class,
          IsNotNull.class,
          IsNull.class,
          Length.class,
          LessThan.class,
          LessThanOrEqual.class,
          Literal.class,
          Lower.class,
          MapKeys.class,
          MapValues.class,
          Not.class,
          Or.class,
          Size.class,
          StartsWith.class,
          StringTrim.class,
          StringTrimLeft.class,
          StringTrimRight.class,
          Substring.class,
          Upper.class);

  /** Operations on floating point that raise in no mode. */
  private static final Set<Class<?>> NEVER_BY_ZERO =
      Set.of(Add.class, Subtract.class, Multiply.class);

  /** Their values depend on the rows before, the partition or the file. */
  private static final Set<Class<?>> TOTAL_IN_ORDER =
      Set.of(
          InputFileBlockLength.class,
          InputFileBlockStart.class,
          InputFileName.class,
          MonotonicallyIncreasingID.class,
          Rand.class,
          Randn.class,
          Shuffle.class,
          SparkPartitionID.class,
          Uuid.class);

  private TotalExpressions() {}

  /** Returns whether neither the expression nor any part of it can raise. */
  public static boolean neverRaises(Expression expression) {
    return ExpressionParts.parts(expression).stream().allMatch(TotalExpressions::isTotal);
  }

  private static boolean isTotal(Expression part) {
    if (part instanceof BinaryArithmetic arithmetic) {
      // Intervals overflow with an error in every mode, and so does the remainder of decimals
      // whose integral quotient is too long.
      DataType type = arithmetic.left().dataType();
      boolean exact = type instanceof DecimalType && arithmetic instanceof Remainder;
      boolean isOfFloats = type instanceof DoubleType || type instanceof FloatType;
      if ((isOfFloats && NEVER_BY_ZERO.contains(arithmetic.getClass()))
          || ExactDecimals.isExact(arithmetic)) {
        return true;
      }
      return type instanceof NumericType
          && !exact
          && !arithmetic.evalMode().equals(EvalMode.ANSI());
    }
    if (part instanceof Cast cast) {
      return isWidening(cast)
          || (!cast.evalMode().equals(EvalMode.ANSI()) && !raisesInEveryMode(cast));
    }
    return TOTAL.contains(part.getClass()) || TOTAL_IN_ORDER.contains(part.getClass());
  }

  private static boolean isWidening(Cast cast) {
    DataType from = cast.child().dataType();
    return from instanceof NumericType
        && cast.dataType() instanceof NumericType
        && Cast.canUpCast(from, cast.dataType());
  }

  /** Intervals, and times that do not fit another type of time. */
  private static boolean raisesInEveryMode(Cast cast) {
    DataType from = cast.child().dataType();
    DataType to = cast.dataType();
    return isInterval(from) || isInterval(to) || (isTime(from) && isTime(to));
  }

  private static boolean isInterval(DataType type) {
    return type instanceof AnsiIntervalType || type instanceof CalendarIntervalType;
  }

  private static boolean isTime(DataType type) {
    return type instanceof DatetimeType;
  }
}
