package io.ariadne.rules.function;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.expression.ExpressionBridge;
import io.ariadne.bridge.type.SparkTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.analysis.SimpleAnalyzer$;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.expressions.RuntimeReplaceable;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser$;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;

/** The examples in the documentation of Spark's functions, as expressions. Stateless. */
public final class FunctionExamples {
  private static final Pattern QUERY =
      Pattern.compile("^\\s*>\\s*(SELECT.*?);\\s*$", Pattern.MULTILINE | Pattern.DOTALL);

  private static final List<DataType> TYPES =
      List.of(DataTypes.LongType, DataTypes.StringType, DataTypes.BinaryType);

  private FunctionExamples() {}

  /** Returns the queries in a function's documentation. */
  public static List<String> queries(ExpressionInfo info) {
    List<String> queries = new ArrayList<>();
    Matcher matcher = QUERY.matcher(info.getExamples());
    while (matcher.find()) {
      queries.add(matcher.group(1));
    }
    return queries;
  }

  /**
   * Returns what a query computes, in all nodes of its plan.
   *
   * @param query a query over constants
   * @param isMeant of which expressions, before Spark's optimizer replaces anything in them
   * @return none when the analyzer refuses the query, as it does under some settings
   */
  public static List<Expression> expressions(String query, Predicate<Expression> isMeant) {
    List<Expression> expressions = new ArrayList<>();
    try {
      add(
          SimpleAnalyzer$.MODULE$.execute(CatalystSqlParser$.MODULE$.parsePlan(query)),
          isMeant,
          expressions);
    } catch (Exception e) {
      return List.of(); // whatever analysis throws, the example shows nothing
    }
    return expressions;
  }

  /**
   * Returns calls of a function of one column, for functions without documentation.
   *
   * @param name a registered function
   */
  static List<Expression> calls(String name) {
    List<Expression> calls = new ArrayList<>();
    for (DataType type : TYPES) {
      try {
        Expression call =
            (Expression)
                FunctionRegistry.builtin()
                    .lookupFunction(
                        new FunctionIdentifier(name),
                        ScalaCollections.seq(List.of(column(0, type))));
        if (isValid(call, call)) {
          calls.add(replaced(call));
        }
      } catch (Exception e) {
        // it takes other arguments
      }
    }
    return calls;
  }

  private static void add(
      LogicalPlan plan, Predicate<Expression> isMeant, List<Expression> expressions) {
    for (Expression expression : ScalaCollections.<Expression>list(plan.expressions())) {
      Expression value = expression instanceof Alias alias ? alias.child() : expression;
      boolean isComputed = !(value instanceof AttributeReference || value instanceof SortOrder);
      if (!value.resolved() || !isComputed) {
        continue;
      }
      if (isMeant.test(withoutAggregates(value))) {
        expressions.add(withoutAggregates(replaced(value)));
      } else {
        aggregates(value).filter(isMeant).map(FunctionExamples::replaced).forEach(expressions::add);
      }
    }
    ScalaCollections.<LogicalPlan>list(plan.children())
        .forEach(child -> add(child, isMeant, expressions));
  }

  /** Makes the replacements that Spark's optimizer makes first. */
  private static Expression replaced(Expression expression) {
    return expression instanceof RuntimeReplaceable replaceable
        ? replaced(replaceable.replacement())
        : withChildren(
            expression, children(expression).stream().map(FunctionExamples::replaced).toList());
  }

  /** Replaces aggregates by columns in an expression that computes something from their results. */
  private static Expression withoutAggregates(Expression expression) {
    boolean isKept =
        expression instanceof AggregateExpression || expression instanceof WindowExpression;
    return isKept
        ? expression
        : withChildren(
            expression,
            children(expression).stream()
                .map(
                    child ->
                        child instanceof AggregateExpression
                            ? column(0, child.dataType())
                            : withoutAggregates(child))
                .toList());
  }

  /** Returns the aggregates whose results an expression computes further. */
  private static Stream<Expression> aggregates(Expression expression) {
    if (expression instanceof AggregateExpression) {
      return Stream.of(expression);
    }
    return expression instanceof WindowExpression
        ? Stream.of()
        : children(expression).stream().flatMap(FunctionExamples::aggregates);
  }

  private static List<Expression> children(Expression expression) {
    return ScalaCollections.list(expression.children());
  }

  private static Expression withChildren(Expression expression, List<Expression> children) {
    return children.equals(children(expression))
        ? expression
        : expression.withNewChildren(ScalaCollections.seq(children));
  }

  /**
   * Puts columns in the places of constants, wherever the expression stays valid.
   *
   * @param expression one of {@link #expressions}
   */
  public static FunctionExample overColumns(Expression expression) {
    List<Literal> literals = new ArrayList<>();
    addLiterals(expression, literals);
    List<AttributeReference> columns = new ArrayList<>();
    List<Literal> values = new ArrayList<>();
    for (Attribute attribute : ExpressionBridge.references(expression)) {
      if (attribute instanceof AttributeReference column) {
        columns.add(column);
        values.add(Literal.create(null, column.dataType()));
      }
    }
    Expression current = expression;
    for (Literal literal : literals) {
      AttributeReference column = column(columns.size(), literal.dataType());
      Expression tried = replace(current, literal, column);
      if (tried != current && isValid(tried, expression)) {
        current = tried;
        columns.add(column);
        values.add(literal);
      }
    }
    return new FunctionExample(current, columns, values);
  }

  private static void addLiterals(Expression expression, List<Literal> literals) {
    if (expression instanceof Literal literal
        && literal.value() != null
        && SparkTypes.unsupportedReason(literal.dataType()).isEmpty()) {
      literals.add(literal);
    }
    children(expression).forEach(child -> addLiterals(child, literals));
  }

  /** Makes a nullable column. */
  static AttributeReference column(int number, DataType type) {
    return new AttributeReference(
        "c" + number,
        type,
        true,
        Metadata.empty(),
        NamedExpression$.MODULE$.newExprId(),
        ScalaCollections.seq(List.of()));
  }

  /** Replaces one object, but not objects that are equal to it. */
  private static Expression replace(Expression expression, Literal literal, Expression column) {
    if (expression == literal) {
      return column;
    }
    boolean isChanged = false;
    List<Expression> children = new ArrayList<>();
    for (Expression child : children(expression)) {
      Expression replaced = replace(child, literal, column);
      isChanged |= replaced != child;
      children.add(replaced);
    }
    return isChanged ? expression.withNewChildren(ScalaCollections.seq(children)) : expression;
  }

  private static boolean isValid(Expression expression, Expression original) {
    try {
      return areTypesRight(expression)
          && expression.resolved()
          && expression.dataType().equals(original.dataType());
    } catch (Exception e) {
      return false; // some expressions evaluate their constants to find their type
    }
  }

  private static boolean areTypesRight(Expression expression) {
    return expression.checkInputDataTypes().isSuccess()
        && children(expression).stream().allMatch(FunctionExamples::areTypesRight);
  }
}
