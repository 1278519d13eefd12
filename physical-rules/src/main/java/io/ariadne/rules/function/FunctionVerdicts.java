package io.ariadne.rules.function;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.rules.exec.AriadneHashAggregateExec;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.expression.Conversion;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.expression.ExpressionConverter;
import io.ariadne.rules.expression.Placement;
import io.ariadne.rules.expression.TaggedExpression;
import io.ariadne.rules.function.FunctionVerdict.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.expressions.Generator;
import org.apache.spark.sql.catalyst.expressions.Unevaluable;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import scala.Option;

/**
 * Finds out how each function that Spark has registered is computed. It translates the expressions
 * in the examples of Spark's own documentation, with columns in the place of constants. The best
 * outcome of a function's examples counts. Stateless.
 */
public final class FunctionVerdicts {
  private FunctionVerdicts() {}

  /** Returns all registered functions with their documentation, operators included. */
  public static Map<String, ExpressionInfo> functions() {
    Map<String, ExpressionInfo> functions = new TreeMap<>();
    for (FunctionIdentifier id :
        ScalaCollections.<FunctionIdentifier>list(FunctionRegistry.builtin().listFunction())) {
      functions.put(id.funcName(), FunctionRegistry.builtin().lookupFunction(id).get());
    }
    return functions;
  }

  /** Returns how each function is computed, in the order of names. */
  public static List<FunctionVerdict> all() {
    List<FunctionVerdict> verdicts = new ArrayList<>();
    functions().forEach((name, info) -> verdicts.add(of(name, info)));
    return verdicts;
  }

  private static FunctionVerdict of(String name, ExpressionInfo info) {
    List<Expression> calls =
        expressions(info, expression -> parts(expression).anyMatch(part -> is(part, name, info)));
    if (!calls.isEmpty()) {
      return best(name, calls);
    }
    List<Expression> aggregates = expressions(info, AggregateExpression.class::isInstance);
    List<Expression> others =
        aggregates.isEmpty() ? expressions(info, expression -> true) : aggregates;
    if (others.isEmpty()) {
      return best(name, FunctionExamples.calls(name));
    }
    FunctionVerdict verdict = best(name, others);
    boolean isRewritten = !info.getClassName().endsWith("Builder") && verdict.note().isEmpty();
    return isRewritten
        ? new FunctionVerdict(name, verdict.outcome(), "what Spark makes of it")
        : verdict;
  }

  private static List<Expression> expressions(ExpressionInfo info, Predicate<Expression> isMeant) {
    return FunctionExamples.queries(info).stream()
        .flatMap(query -> FunctionExamples.expressions(query, isMeant).stream())
        .toList();
  }

  private static boolean is(Expression part, String name, ExpressionInfo info) {
    Option<String> alias = part.getTagValue(FunctionRegistry.FUNC_ALIAS());
    return part.getClass().getName().equals(info.getClassName())
        || (alias.isDefined() && alias.get().equals(name));
  }

  private static FunctionVerdict best(String name, List<Expression> expressions) {
    return expressions.stream()
        .map(expression -> of(name, expression))
        .min(Comparator.comparing(FunctionVerdict::outcome))
        .orElseGet(
            () ->
                new FunctionVerdict(
                    name, Outcome.SPARK, "Spark refuses its examples as it is set by default"));
  }

  private static FunctionVerdict of(String name, Expression expression) {
    Optional<FunctionVerdict> other = notRowByRow(name, expression);
    if (other.isPresent()) {
      return other.get();
    }
    FunctionExample example = FunctionExamples.overColumns(expression);
    if (example.columns().isEmpty() && expression.deterministic()) {
      return new FunctionVerdict(name, Outcome.CONSTANT, "");
    }
    Conversion conversion =
        new ExpressionConverter(example.columns(), ConversionScope.trial(Set.of()))
            .convertInOrder(example.expression());
    TaggedExpression tag = conversion.tag();
    if (conversion.translated().isEmpty()) {
      return new FunctionVerdict(name, Outcome.SPARK, plain(tag.reason()));
    }
    boolean isBridged = tag.isBridgedSomewhere();
    Outcome outcome =
        tag.placement() == Placement.BRIDGE
            ? Outcome.BRIDGE
            : isBridged ? Outcome.KERNEL_AND_BRIDGE : Outcome.KERNEL;
    return new FunctionVerdict(name, outcome, "");
  }

  private static Optional<FunctionVerdict> notRowByRow(String name, Expression expression) {
    if (find(expression, WindowExpression.class).isPresent()) {
      return Optional.of(new FunctionVerdict(name, Outcome.SPARK, "window function"));
    }
    Optional<AggregateExpression> aggregate = find(expression, AggregateExpression.class);
    if (aggregate.isPresent()) {
      return Optional.of(ofAggregate(name, aggregate.get()));
    }
    if (find(expression, Generator.class).isPresent()) {
      return Optional.of(new FunctionVerdict(name, Outcome.SPARK, "makes rows"));
    }
    if (find(expression, Unevaluable.class).isPresent()) {
      return Optional.of(
          new FunctionVerdict(name, Outcome.CONSTANT, "replaced while the query is planned"));
    }
    return Optional.empty();
  }

  private static FunctionVerdict ofAggregate(String name, AggregateExpression aggregate) {
    FunctionExample example = FunctionExamples.overColumns(aggregate);
    NodeConversion conversion =
        AriadneHashAggregateExec.tryConvert(
            (AggregateExpression) example.expression(),
            List.copyOf(example.columns()),
            ConversionScope.trial(Set.of()));
    if (conversion.node().isEmpty()) {
      return new FunctionVerdict(
          name, Outcome.SPARK, "aggregate: " + plain(String.join("; ", conversion.reasons())));
    }
    boolean isBridged =
        conversion.expressions().stream()
            .anyMatch(
                tag ->
                    tag.placement() == Placement.BRIDGE
                        && tag.expression() instanceof AggregateFunction);
    return new FunctionVerdict(name, isBridged ? Outcome.BRIDGE : Outcome.KERNEL, "aggregate");
  }

  /** A reason without the numbers of columns, which change from run to run. */
  private static String plain(String reason) {
    return reason.replaceAll("#\\d+L?", "");
  }

  private static <T> Optional<T> find(Expression expression, Class<T> type) {
    return parts(expression)
        .filter(part -> !(part instanceof AttributeReference))
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst();
  }

  private static Stream<Expression> parts(Expression expression) {
    return Stream.concat(
        Stream.of(expression),
        ScalaCollections.<Expression>list(expression.children()).stream()
            .flatMap(FunctionVerdicts::parts));
  }
}
