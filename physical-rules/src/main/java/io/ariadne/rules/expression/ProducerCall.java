package io.ariadne.rules.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.StringHeaps;
import io.ariadne.expression.StringProducer;
import io.ariadne.expression.StringProducer.Operation;
import io.ariadne.expression.compiler.TileProgramCompiler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;

/**
 * Builds the call of a {@link StringProducer}: the operation of the kernels with its operands, and
 * Spark's code for the same function. Used once.
 */
final class ProducerCall {
  private final Operation operation;
  private final Expression expression;
  private final List<Expression> operands;
  private final UnaryOperator<List<Expression>> order;
  private final List<io.ariadne.expression.Literal> literals = new ArrayList<>();
  private io.ariadne.expression.Literal number;
  private boolean mayRaise;

  private ProducerCall(
      Operation operation,
      Expression expression,
      List<Expression> operands,
      UnaryOperator<List<Expression>> order) {
    this.operation = operation;
    this.expression = expression;
    this.operands = operands;
    this.order = order;
  }

  /**
   * Begins a call.
   *
   * @param operation what is made
   * @param expression Spark's
   * @param order which of its children are the operands, in the order of the operation
   */
  static ProducerCall of(Operation operation, Expression expression, int... order) {
    List<Expression> children = ScalaCollections.list(expression.children());
    List<Expression> operands = new ArrayList<>();
    for (int position : order) {
      operands.add(children.get(position));
    }
    UnaryOperator<List<Expression>> placed =
        changed -> {
          List<Expression> all = new ArrayList<>(children);
          for (int i = 0; i < order.length; i++) {
            all.set(order[i], changed.get(i));
          }
          return all;
        };
    return new ProducerCall(operation, expression, operands, placed);
  }

  /**
   * Begins a call for an expression and its first child.
   *
   * @param operation what is made
   * @param expression Spark's, of two children
   * @param inner the first one, whose children are the operands but for the last one
   */
  static ProducerCall ofPart(Operation operation, Expression expression, Expression inner) {
    List<Expression> outer = ScalaCollections.list(expression.children());
    List<Expression> operands = new ArrayList<>(ScalaCollections.list(inner.children()));
    int count = operands.size();
    operands.add(outer.get(1));
    UnaryOperator<List<Expression>> placed =
        changed ->
            List.of(
                inner.withNewChildren(ScalaCollections.seq(changed.subList(0, count))),
                changed.get(count));
    return new ProducerCall(operation, expression, operands, placed);
  }

  /** Sets a first operand, which Spark's expression does not have. */
  ProducerCall withText(io.ariadne.expression.Literal text) {
    literals.add(text);
    return this;
  }

  /** Sets the number, when Spark's expression has none. */
  ProducerCall withNumber(int value) {
    number = new io.ariadne.expression.Literal(value, PrimitiveType.INT32);
    return this;
  }

  /** Says whether Spark's code may raise. */
  ProducerCall raising(boolean raises) {
    mayRaise = raises;
    return this;
  }

  /**
   * Translates the expression.
   *
   * @param walk translates operands
   * @throws NoKernelException when an operand is of another type, may raise, or none is a column
   */
  io.ariadne.expression.Expression build(ExpressionWalk walk) {
    List<io.ariadne.expression.Expression> arguments = new ArrayList<>();
    List<Attribute> attributes = new ArrayList<>();
    List<Expression> changed = new ArrayList<>(operands);
    for (int i = 0; i < operands.size(); i++) {
      Expression operand = operands.get(i);
      checkType(walk.type(operand), i);
      if (operand instanceof Literal literal && literal.value() != null) {
        literals.add(Constants.of(literal.value(), walk.type(operand)));
      } else {
        literals.add(null);
        arguments.add(total(operand, walk));
        attributes.add(attribute(attributes.size(), operand));
        changed.set(i, attributes.get(attributes.size() - 1));
      }
    }
    if (arguments.isEmpty()) {
      throw new NoKernelException("all its operands are constants");
    }
    if (number != null) {
      literals.add(number);
    }
    Expression host = expression.withNewChildren(ScalaCollections.seq(order.apply(changed)));
    StringProducer function =
        new StringProducer(
            operation,
            walk.type(expression),
            literals,
            walk.sparkFunction(host, attributes),
            mayRaise);
    return new BridgedCall(function, arguments, expression.nullable());
  }

  private void checkType(DataType type, int position) {
    boolean isNumber = operation.hasNumber() && number == null && position == operands.size() - 1;
    DataType integer =
        switch (operation) {
          case CHARACTER, DIGITS_2, DIGITS_16 -> PrimitiveType.INT64;
          default -> PrimitiveType.INT32;
        };
    boolean isRight = isNumber ? type.equals(integer) : StringHeaps.isView(type);
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
