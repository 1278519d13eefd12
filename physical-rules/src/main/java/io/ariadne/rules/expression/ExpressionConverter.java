package io.ariadne.rules.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.type.DataType;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.Call;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.StringFunction;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * Translates Spark expressions over one input into Ariadne's.
 *
 * <p>The translation is bottom up. A kernel computes a part when the part's class has a rule, its
 * types are supported and its operands are columns. Otherwise the whole part, down to the input
 * columns, goes through the expression bridge. A part that the bridge cannot evaluate stays with
 * Spark, unless it is inside a larger bridged expression (an array between two strings, for
 * example). Deterministic; not thread-safe.
 */
public final class ExpressionConverter {
  private final List<Attribute> input;
  private final ConversionScope scope;
  private final BridgedExpressions bridge;

  /**
   * Creates a converter.
   *
   * @param input the columns of the input, by position
   * @param scope settings and replay table of the fragment
   */
  public ExpressionConverter(List<? extends Attribute> input, ConversionScope scope) {
    this.input = List.copyOf(input);
    this.scope = scope;
    this.bridge = new BridgedExpressions(this.input, scope);
  }

  /**
   * Translates an expression that is computed once for every row of the input, in their order, as
   * those of a projection are. What is not deterministic is computed by Spark's code as a whole: so
   * its parts are computed for the rows for which Spark computes them. It may not raise: rows of a
   * batch with an error in it are computed again.
   */
  public Conversion convertInOrder(Expression expression) {
    if (expression.deterministic()) {
      return convert(expression);
    }
    Expression value = expression instanceof Alias alias ? alias.child() : expression;
    return TotalExpressions.neverRaises(value)
        ? bridge(value, "not deterministic", true)
        : spark(value, nameOf(value) + " is not deterministic and may raise");
  }

  /**
   * Translates one expression. When that is not possible, the tag has the reason; there is no
   * exception.
   */
  public Conversion convert(Expression expression) {
    ExpressionWalk walk = new ExpressionWalk(this);
    try {
      io.ariadne.expression.Expression translated = translate(expression, walk);
      TaggedExpression tag =
          new TaggedExpression(
              expression,
              Placement.KERNEL,
              "",
              walk.operands(),
              raises(translated) || walk.operands().stream().anyMatch(TaggedExpression::mayRaise),
              isRaisingCall(translated));
      return new Conversion(tag, Optional.of(translated));
    } catch (NoKernelException e) {
      return bridge(expression, e.getMessage(), false);
    }
  }

  List<Attribute> input() {
    return input;
  }

  Optional<DataType> typeOf(org.apache.spark.sql.types.DataType sparkType) {
    return ColumnTypes.of(sparkType);
  }

  ColumnFunction sparkFunction(Expression expression, List<Attribute> columns) {
    return bridge.function(expression, columns);
  }

  int replayable(Expression expression) {
    return scope.replays().add(expression, input);
  }

  private io.ariadne.expression.Expression translate(Expression expression, ExpressionWalk walk) {
    ExpressionRule<?> rule =
        ExpressionRules.forClass(expression.getClass())
            .orElseThrow(() -> new NoKernelException("no kernel for " + nameOf(expression)));
    if (scope.disabled().contains(rule.name())) {
      throw new NoKernelException(rule.name() + " is disabled");
    }
    requirePlainStrings(expression);
    return rule.translate(expression, walk);
  }

  /**
   * Kernels compare, order and hash strings by their bytes. So no operand may have a type whose
   * strings Spark compares in another way ({@code CollationFactory}), whatever the rule makes of
   * the operands.
   */
  private static void requirePlainStrings(Expression expression) {
    requirePlainStrings(expression.dataType());
    for (Expression child : ScalaCollections.<Expression>list(expression.children())) {
      requirePlainStrings(child.dataType());
    }
  }

  private static void requirePlainStrings(org.apache.spark.sql.types.DataType type) {
    if (!SparkTypes.comparesByBytes(type)) {
      throw new NoKernelException("type " + type.sql() + " is not compared by bytes");
    }
  }

  private Conversion bridge(Expression expression, String reason, boolean isOrdered) {
    Optional<String> against =
        scope.disabled().contains(ConversionScope.BRIDGE)
            ? Optional.of("the expression bridge is disabled")
            : bridge.reasonAgainst(expression, isOrdered);
    if (against.isPresent()) {
      String both = reason.equals(against.get()) ? reason : reason + "; " + against.get();
      return spark(expression, both);
    }
    boolean mayRaise = !expression.deterministic() || !TotalExpressions.neverRaises(expression);
    return new Conversion(
        new TaggedExpression(expression, Placement.BRIDGE, reason, List.of(), mayRaise, mayRaise),
        Optional.of(bridge.call(expression)));
  }

  private static Conversion spark(Expression expression, String reason) {
    return new Conversion(
        new TaggedExpression(expression, Placement.SPARK, reason, List.of(), true, true),
        Optional.empty());
  }

  /** Whether a kernel raises; what is bridged in it is among the operands. */
  private static boolean raises(io.ariadne.expression.Expression translated) {
    return isRaisingCall(translated)
        || (translated instanceof Call call
            && (call.mode() == EvaluationMode.ANSI
                || call.arguments().stream().anyMatch(ExpressionConverter::raises)));
  }

  /** Whether it is a call for all rows, of which some may raise. */
  private static boolean isRaisingCall(io.ariadne.expression.Expression translated) {
    return translated instanceof BridgedCall call
        && call.function() instanceof StringFunction function
        && function.mayRaise();
  }

  private static String nameOf(Expression expression) {
    return expression.getClass().getSimpleName();
  }
}
