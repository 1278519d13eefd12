package io.ariadne.rules.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.StringHeaps;
import io.ariadne.expression.StringProducer;
import io.ariadne.expression.StringProducer.Operation;
import io.ariadne.expression.compiler.TileProgramCompiler;
import io.ariadne.kernel.column.StringProducerKernel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Concat;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Hex;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Lower;
import org.apache.spark.sql.catalyst.expressions.Reverse;
import org.apache.spark.sql.catalyst.expressions.StringLPad;
import org.apache.spark.sql.catalyst.expressions.StringRPad;
import org.apache.spark.sql.catalyst.expressions.StringRepeat;
import org.apache.spark.sql.catalyst.expressions.StringReplace;
import org.apache.spark.sql.catalyst.expressions.Upper;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;

/**
 * Functions that make strings. Kernels of their own compute them, column by column, and give what
 * they do not know to Spark's code, a batch at a time.
 */
final class StringProducerRules {
  private static final String STRINGS = "of strings that cannot raise";
  private static final String ASCII = STRINGS + "; batches with others than ASCII by Spark's code";

  private StringProducerRules() {}

  static List<ExpressionRule<?>> rules() {
    return List.of(
        ExpressionRule.structural(Concat.class, STRINGS, StringProducerRules::concat),
        ExpressionRule.structural(
            Upper.class, ASCII, (e, walk) -> produce(Operation.UPPER, e, walk, 0)),
        ExpressionRule.structural(
            Lower.class, ASCII, (e, walk) -> produce(Operation.LOWER, e, walk, 0)),
        ExpressionRule.structural(
            Reverse.class, STRINGS, (e, walk) -> produce(Operation.REVERSE, e, walk, 0)),
        ExpressionRule.structural(
            StringRepeat.class, STRINGS, (e, walk) -> produce(Operation.REPEAT, e, walk, 0, 1)),
        ExpressionRule.structural(
            StringLPad.class, STRINGS, (e, walk) -> produce(Operation.LPAD, e, walk, 0, 2, 1)),
        ExpressionRule.structural(
            StringRPad.class, STRINGS, (e, walk) -> produce(Operation.RPAD, e, walk, 0, 2, 1)),
        ExpressionRule.structural(
            StringReplace.class,
            STRINGS,
            (e, walk) -> produce(Operation.REPLACE, e, walk, 0, 1, 2)),
        ExpressionRule.structural(
            Hex.class, STRINGS, (e, walk) -> produce(Operation.HEX, e, walk, 0)));
  }

  private static io.ariadne.expression.Expression concat(Concat concat, ExpressionWalk walk) {
    int count = concat.children().size();
    if (count == 0 || count > StringProducerKernel.MAX_TEXTS) {
      throw new NoKernelException("it has " + count + " operands");
    }
    return produce(Operation.CONCAT, concat, walk, IntStream.range(0, count).toArray());
  }

  /**
   * Translates a function.
   *
   * @param operation what it makes
   * @param expression Spark's
   * @param walk translates operands
   * @param order of its children as operands of the operation
   */
  private static io.ariadne.expression.Expression produce(
      Operation operation, Expression expression, ExpressionWalk walk, int... order) {
    List<Expression> children = ScalaCollections.list(expression.children());
    List<io.ariadne.expression.Literal> literals = new ArrayList<>();
    List<io.ariadne.expression.Expression> arguments = new ArrayList<>();
    List<Attribute> attributes = new ArrayList<>();
    for (int i = 0; i < order.length; i++) {
      Expression child = children.get(order[i]);
      boolean isNumber = operation.hasNumber() && i == order.length - 1;
      checkType(walk.type(child), isNumber);
      if (child instanceof Literal literal && literal.value() != null) {
        literals.add(Constants.of(literal.value(), walk.type(child)));
      } else {
        literals.add(null);
        arguments.add(total(child, walk));
        Attribute attribute = attribute(attributes.size(), child);
        attributes.add(attribute);
        children.set(order[i], attribute);
      }
    }
    if (arguments.isEmpty()) {
      throw new NoKernelException("all its operands are constants");
    }
    DataType type = walk.type(expression);
    Expression host = expression.withNewChildren(ScalaCollections.seq(children));
    StringProducer function =
        new StringProducer(operation, type, literals, walk.sparkFunction(host, attributes));
    return new BridgedCall(function, arguments, expression.nullable());
  }

  private static void checkType(DataType type, boolean isNumber) {
    boolean isRight = isNumber ? type == PrimitiveType.INT32 : StringHeaps.isView(type);
    if (!isRight) {
      throw new NoKernelException("its operands are not all strings");
    }
  }

  /** It is computed for every row, also where Spark does not. */
  private static io.ariadne.expression.Expression total(Expression child, ExpressionWalk walk) {
    io.ariadne.expression.Expression operand = walk.operand(child);
    if (TileProgramCompiler.mayRaise(operand)) {
      throw new NoKernelException("an operand may raise or goes through the bridge");
    }
    return operand;
  }

  private static Attribute attribute(int number, Expression child) {
    return DataTypeUtils.toAttribute(
        new StructField("_" + number, child.dataType(), true, Metadata.empty()));
  }
}
