package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Generator;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.RuntimeReplaceable;
import org.apache.spark.sql.catalyst.expressions.TimeZoneAwareExpression;
import org.apache.spark.sql.catalyst.expressions.Unevaluable;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructType;
import scala.Option;

/**
 * Makes expressions of all functions that Spark has registered, and casts, of every combination of
 * argument types that Spark accepts without converting them.
 */
final class ExpressionCases {
  /** Casts are tried from every type to every type. */
  static final String CAST = "cast";

  private static final String TRY_CAST = "try_cast";
  private static final int LONG_SIGNATURES = 150;
  private static final int MAX_ARGUMENTS = 4;

  static final List<DataType> TYPES =
      List.of(
          DataTypes.BooleanType,
          DataTypes.ByteType,
          DataTypes.ShortType,
          DataTypes.IntegerType,
          DataTypes.LongType,
          DataTypes.FloatType,
          DataTypes.DoubleType,
          DataTypes.createDecimalType(5, 2),
          DataTypes.createDecimalType(18, 4),
          DataTypes.createDecimalType(38, 10),
          DataTypes.DateType,
          DataTypes.TimestampType,
          DataTypes.TimestampNTZType,
          DataTypes.StringType,
          DataTypes.BinaryType,
          DataTypes.createYearMonthIntervalType(),
          DataTypes.createDayTimeIntervalType(),
          DataTypes.createArrayType(DataTypes.IntegerType),
          DataTypes.createArrayType(DataTypes.StringType),
          DataTypes.createMapType(DataTypes.StringType, DataTypes.IntegerType),
          new StructType().add("a", DataTypes.IntegerType).add("b", DataTypes.StringType));

  private final Random random;
  private final Literals literals;

  /** Gives values of types as Catalyst has them. */
  interface Literals {
    /** Returns a literal of a random value. */
    Literal of(DataType type);
  }

  ExpressionCases(Random random, Literals literals) {
    this.random = random;
    this.literals = literals;
  }

  /** Returns the names of all functions, casts included. */
  static List<String> names() {
    Set<String> names = new TreeSet<>(Set.of(CAST, TRY_CAST));
    // Spark's own generated code of array_insert writes outside its array for the position
    // -2147483648, which ends the JVM; in errors of getbit Spark itself writes one name or the
    // other.
    for (FunctionIdentifier id :
        ScalaCollections.<FunctionIdentifier>list(FunctionRegistry.builtin().listFunction())) {
      if (!Set.of("array_insert", "getbit").contains(id.funcName())) {
        names.add(id.funcName());
      }
    }
    return List.copyOf(names);
  }

  /**
   * Returns the argument types that a function accepts, in a fixed order; some of those of three
   * and more arguments.
   */
  List<List<DataType>> signatures(String name) {
    List<List<DataType>> accepted = new ArrayList<>();
    for (int count = 1; count <= MAX_ARGUMENTS; count++) {
      if (takes(name, count)) {
        List<List<DataType>> candidates = candidates(count);
        List<List<DataType>> ofColumns =
            candidates.stream().filter(types -> accepts(name, types, 0)).toList();
        accepted.addAll(
            ofColumns.isEmpty()
                ? candidates.stream().filter(types -> acceptsWithLiterals(name, types)).toList()
                : ofColumns);
      }
    }
    return accepted;
  }

  private List<List<DataType>> candidates(int count) {
    Map<String, List<DataType>> candidates = new TreeMap<>();
    if (count <= 2) {
      for (DataType first : TYPES) {
        for (DataType second : count == 1 ? List.of(first) : TYPES) {
          List<DataType> types = count == 1 ? List.of(first) : List.of(first, second);
          candidates.put(types.toString(), types);
        }
      }
    } else {
      for (int i = 0; i < LONG_SIGNATURES; i++) {
        List<DataType> types = new ArrayList<>();
        boolean isSame = random.nextBoolean();
        for (int j = 0; j < count; j++) {
          types.add(
              j > 0 && isSame
                  ? types.get(random.nextInt(j))
                  : TYPES.get(random.nextInt(TYPES.size())));
        }
        candidates.put(types.toString(), types);
      }
      textual(count).forEach(types -> candidates.put(types.toString(), types));
    }
    return List.copyOf(candidates.values());
  }

  /** Returns all arguments of text and numbers, which chance seldom finds. */
  private static List<List<DataType>> textual(int count) {
    List<DataType> few =
        count == 3
            ? List.of(DataTypes.StringType, DataTypes.BinaryType, DataTypes.IntegerType)
            : List.of(DataTypes.StringType, DataTypes.IntegerType);
    List<List<DataType>> all = List.of(List.of());
    for (int i = 0; i < count; i++) {
      List<List<DataType>> longer = new ArrayList<>();
      for (List<DataType> types : all) {
        for (DataType type : few) {
          List<DataType> next = new ArrayList<>(types);
          next.add(type);
          longer.add(next);
        }
      }
      all = longer;
    }
    return all;
  }

  /** Returns whether a function may have so many arguments. */
  private static boolean takes(String name, int count) {
    if (isCast(name)) {
      return count == 2;
    }
    try {
      call(name, Collections.nCopies(count, column(0, DataTypes.StringType)), false, "UTC");
      return true;
    } catch (Exception e) {
      return !String.valueOf(e.getMessage()).contains("WRONG_NUM_ARGS");
    }
  }

  private boolean accepts(String name, List<DataType> types, int literalMask) {
    return make(name, types, literalMask, false, "UTC").isPresent();
  }

  private boolean acceptsWithLiterals(String name, List<DataType> types) {
    return IntStream.range(1, (1 << types.size()) - 1).anyMatch(mask -> accepts(name, types, mask));
  }

  private static boolean isCast(String name) {
    return name.equals(CAST) || name.equals(TRY_CAST);
  }

  /**
   * Makes a case.
   *
   * @param name a function's name
   * @param types of its arguments
   * @param literalMask which arguments are literals
   * @param isAnsi the mode that is set
   * @param zone the session's time zone
   * @return empty when Spark does not accept it
   */
  Optional<ExpressionCase> make(
      String name, List<DataType> types, int literalMask, boolean isAnsi, String zone) {
    List<Expression> arguments = new ArrayList<>();
    List<AttributeReference> columns = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      boolean isCastTarget = i == 1 && isCast(name);
      if ((literalMask & 1 << i) != 0 || isCastTarget) {
        arguments.add(literals.of(types.get(i)));
      } else {
        AttributeReference column = column(columns.size(), types.get(i));
        columns.add(column);
        arguments.add(column);
      }
    }
    try {
      Expression made = resolved(call(name, arguments, isAnsi, zone), zone);
      return isUsable(made) && !columns.isEmpty()
          ? Optional.of(new ExpressionCase(name, made, columns, isAnsi, zone))
          : Optional.empty();
    } catch (Exception | AssertionError e) {
      return Optional.empty(); // Spark says no in many ways
    }
  }

  private static AttributeReference column(int number, DataType type) {
    return new AttributeReference(
        "c" + number,
        type,
        true,
        Metadata.empty(),
        NamedExpression$.MODULE$.newExprId(),
        ScalaCollections.seq(List.of()));
  }

  private static Expression call(
      String name, List<Expression> arguments, boolean isAnsi, String zone) {
    if (isCast(name)) {
      if (arguments.size() != 2) {
        throw new IllegalArgumentException("a cast has a value and a type");
      }
      return new Cast(
          arguments.get(0),
          arguments.get(1).dataType(),
          Option.apply(zone),
          name.equals(TRY_CAST)
              ? org.apache.spark.sql.catalyst.expressions.EvalMode.TRY()
              : org.apache.spark.sql.catalyst.expressions.EvalMode.fromBoolean(isAnsi));
    }
    return (Expression)
        FunctionRegistry.builtin()
            .lookupFunction(new FunctionIdentifier(name), ScalaCollections.seq(arguments));
  }

  /** Does what the analyzer and the first rules of the optimizer do with every expression. */
  private static Expression resolved(Expression expression, String zone) {
    Expression replaced =
        expression instanceof RuntimeReplaceable replaceable
            ? resolved(replaceable.replacement(), zone)
            : expression;
    List<Expression> children = new ArrayList<>();
    boolean isChanged = false;
    for (Expression child : ScalaCollections.<Expression>list(replaced.children())) {
      Expression inner = resolved(child, zone);
      isChanged |= inner != child;
      children.add(inner);
    }
    Expression result =
        isChanged ? replaced.withNewChildren(ScalaCollections.seq(children)) : replaced;
    return result instanceof TimeZoneAwareExpression aware && aware.timeZoneId().isEmpty()
        ? (Expression) aware.withTimeZone(zone)
        : result;
  }

  private static boolean isUsable(Expression expression) {
    return expression.deterministic()
        && expression.resolved()
        && expression.checkInputDataTypes().isSuccess()
        && isRowWise(expression);
  }

  /** Returns whether an expression is computed from one row. */
  static boolean isRowWise(Expression expression) {
    boolean isOther =
        expression instanceof Generator
            || expression instanceof PlanExpression
            || expression instanceof AggregateFunction
            || (expression instanceof Unevaluable && !(expression instanceof AttributeReference));
    return !isOther
        && ScalaCollections.<Expression>list(expression.children()).stream()
            .allMatch(ExpressionCases::isRowWise);
  }
}
