package io.ariadne.rules.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.type.DataType;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.StringFormatter;
import io.ariadne.expression.StringParser;
import io.ariadne.expression.compiler.TileProgramCompiler;
import java.time.ZoneId;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.BooleanType$;
import org.apache.spark.sql.types.DateType$;
import org.apache.spark.sql.types.FractionalType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StringType$;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.TimestampNTZType$;
import org.apache.spark.sql.types.TimestampType$;

/**
 * Casts from strings and to strings. Separate kernels compute them, column by column. Spark's code
 * computes a batch that has a string that the kernels do not handle or for which Spark raises.
 */
final class StringCasts {
  private static final String TIME_PARSER_POLICY = "spark.sql.legacy.timeParserPolicy";

  private StringCasts() {}

  /** Returns whether one of a cast's types is a string, which are then translated here. */
  static boolean handles(Cast cast) {
    return isString(cast.child().dataType()) || isString(cast.dataType());
  }

  private static boolean isString(org.apache.spark.sql.types.DataType type) {
    return type.equals(StringType$.MODULE$);
  }

  static io.ariadne.expression.Expression translate(Cast cast, ExpressionWalk walk) {
    boolean isFrom = isString(cast.child().dataType());
    org.apache.spark.sql.types.DataType other = isFrom ? cast.dataType() : cast.child().dataType();
    if (!isCovered(other)) {
      throw new NoKernelException(
          "CAST "
              + (isFrom ? "of strings to " : "to strings of ")
              + other.sql()
              + " has no kernel");
    }
    // A scalar subquery, too, is a constant when the cast is computed.
    if (cast.child().references().isEmpty()) {
      throw new NoKernelException("it is of a constant");
    }
    io.ariadne.expression.Expression operand = walk.operand(cast.child());
    if (TileProgramCompiler.mayRaise(operand)) {
      throw new NoKernelException("its operand may raise or goes through the bridge");
    }
    ZoneId zone = other.equals(TimestampType$.MODULE$) ? cast.zoneId() : null;
    Attribute column =
        DataTypeUtils.toAttribute(
            new StructField("_0", cast.child().dataType(), true, Metadata.empty()));
    ColumnFunction host =
        walk.sparkFunction(
            cast.withNewChildren(ScalaCollections.seq(List.of(column))), List.of(column));
    EvaluationMode mode = ExpressionWalk.mode(cast.evalMode());
    if (isFrom) {
      DataType result = walk.type(cast);
      boolean mayRaise = mode == EvaluationMode.ANSI;
      return new BridgedCall(
          new StringParser(result, mode != EvaluationMode.LEGACY, mayRaise, zone, host),
          List.of(operand),
          cast.nullable());
    }
    requireOneFormat(other);
    return new BridgedCall(
        new StringFormatter(walk.type(cast.child()), cast.ansiEnabled(), zone, host),
        List.of(operand),
        cast.nullable());
  }

  private static boolean isCovered(org.apache.spark.sql.types.DataType type) {
    return type instanceof IntegralType
        || type instanceof FractionalType
        || type.equals(BooleanType$.MODULE$)
        || type.equals(DateType$.MODULE$)
        || type.equals(TimestampType$.MODULE$)
        || type.equals(TimestampNTZType$.MODULE$);
  }

  private static void requireOneFormat(org.apache.spark.sql.types.DataType type) {
    boolean isLegacy =
        SQLConf.get().getConfString(TIME_PARSER_POLICY, "EXCEPTION").equalsIgnoreCase("LEGACY");
    if (isLegacy && type.equals(DateType$.MODULE$)) {
      throw new NoKernelException(TIME_PARSER_POLICY + " is LEGACY");
    }
  }
}
