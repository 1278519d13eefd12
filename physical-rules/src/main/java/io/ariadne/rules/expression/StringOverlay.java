package io.ariadne.rules.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.expression.StringProducer;
import io.ariadne.expression.StringProducer.Operation;
import io.ariadne.expression.compiler.TileProgramCompiler;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Concat;
import org.apache.spark.sql.catalyst.expressions.Overlay;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Translates OVERLAY: the beginning of a string, the replacement, and the remainder of the string,
 * concatenated as in {@code Overlay.calculate}. Positions wrap as they do there.
 */
final class StringOverlay {
  private StringOverlay() {}

  /** Translates it. */
  static Expression overlay(Overlay overlay, ExpressionWalk walk) {
    if (walk.type(overlay) != PrimitiveType.STRING) {
      throw new NoKernelException("it is of type " + overlay.dataType().sql());
    }
    Expression input = total(walk.operand(overlay.input()));
    Expression replacement = total(walk.operand(overlay.replace()));
    Expression position = total(walk.operand(overlay.pos()));
    Expression length = length(overlay, replacement, total(walk.operand(overlay.len())), walk);
    Expression before = sum(overlay, position, number(-1), walk);
    Expression behind = sum(overlay, position, length, walk);
    Expression begin = part(overlay, input, number(1), before, walk);
    Expression end = part(overlay, input, behind, number(Integer.MAX_VALUE), walk);
    return concat(overlay, walk, begin, replacement, end);
  }

  /** The characters taken out: those of the replacement when a number below 0 is given. */
  private static Expression length(
      Overlay overlay, Expression replacement, Expression given, ExpressionWalk walk) {
    if (given instanceof Literal literal && literal.value() instanceof Integer value) {
      return value >= 0 ? given : characters(overlay, replacement, walk);
    }
    Expression isGiven =
        call(overlay, Function.GREATER_OR_EQUAL, PrimitiveType.BOOLEAN, walk, given, number(0));
    Expression isMissing =
        call(overlay, Function.LESS, PrimitiveType.BOOLEAN, walk, given, number(0));
    return call(
        overlay,
        Function.CASE_WHEN,
        PrimitiveType.INT32,
        walk,
        isGiven,
        given,
        isMissing,
        characters(overlay, replacement, walk),
        new Literal(null, PrimitiveType.INT32));
  }

  private static Expression characters(
      Overlay overlay, Expression replacement, ExpressionWalk walk) {
    if (replacement instanceof Literal literal && literal.value() instanceof byte[] bytes) {
      return number(UTF8String.fromBytes(bytes).numChars());
    }
    return call(overlay, Function.CHARACTER_LENGTH, PrimitiveType.INT32, walk, replacement);
  }

  private static Expression sum(Overlay overlay, Expression a, Expression b, ExpressionWalk walk) {
    return call(overlay, Function.ADD, PrimitiveType.INT32, walk, a, b);
  }

  private static Expression part(
      Overlay overlay, Expression text, Expression from, Expression count, ExpressionWalk walk) {
    return call(overlay, Function.SUBSTRING, PrimitiveType.STRING, walk, text, from, count);
  }

  private static Literal number(int value) {
    return new Literal(value, PrimitiveType.INT32);
  }

  private static Expression call(
      Overlay overlay,
      Function function,
      DataType type,
      ExpressionWalk walk,
      Expression... arguments) {
    return walk.call(function, type, overlay, EvaluationMode.LEGACY, List.of(arguments));
  }

  private static Expression total(Expression operand) {
    if (TileProgramCompiler.mayRaise(operand)) {
      throw new NoKernelException("an operand may raise or goes through the bridge");
    }
    return operand;
  }

  private static Expression concat(Overlay overlay, ExpressionWalk walk, Expression... texts) {
    List<Literal> literals = new ArrayList<>();
    List<Expression> arguments = new ArrayList<>();
    List<Attribute> columns = new ArrayList<>();
    List<org.apache.spark.sql.catalyst.expressions.Expression> host = new ArrayList<>();
    for (Expression text : texts) {
      if (text instanceof Literal literal && literal.value() != null) {
        literals.add(literal);
        host.add(overlay.replace());
        continue;
      }
      literals.add(null);
      arguments.add(text);
      columns.add(
          DataTypeUtils.toAttribute(
              new StructField("_" + columns.size(), overlay.dataType(), true, Metadata.empty())));
      host.add(columns.get(columns.size() - 1));
    }
    StringProducer function =
        new StringProducer(
            Operation.CONCAT,
            PrimitiveType.STRING,
            literals,
            walk.sparkFunction(new Concat(ScalaCollections.seq(host)), columns),
            false);
    return new BridgedCall(function, arguments, overlay.nullable());
  }
}
