package io.ariadne.rules.exec;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.rules.exec.translation.ExchangeTranslation;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.exec.translation.SortTranslation;
import io.ariadne.rules.expression.Conversion;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.expression.ExpressionConverter;
import io.ariadne.rules.expression.Placement;
import io.ariadne.rules.expression.TaggedExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.CharType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.VarcharType;
import org.junit.jupiter.api.Test;
import scala.Option;

/**
 * Strings that do not compare by bytes, which Spark 4 has, are computed by no kernel, whatever the
 * function; those that compare by bytes are.
 */
class TestCollatedStrings {
  private static final List<String> COLLATIONS =
      List.of("UNICODE_CI", "UTF8_LCASE", "UNICODE", "UTF8_BINARY_RTRIM");

  private static final int FEWEST_FUNCTIONS = 40;

  private final ExpressionCases cases =
      new ExpressionCases(new Random(1), type -> Literal.create(null, type));

  @Test
  void noFunctionOfCollatedStringsHasAKernel() {
    for (String collation : COLLATIONS) {
      Set<String> functions = new TreeSet<>();
      List<List<DataType>> signatures = new ArrayList<>(signatures(collated(collation)));
      signatures.addAll(nestedSignatures(collated(collation)));
      for (String name : ExpressionCases.names()) {
        for (List<DataType> types : signatures) {
          Optional<ExpressionCase> one = cases.make(name, types, 0, false, "UTC");
          if (one.isPresent()) {
            functions.add(name);
            checkNoKernel(convert(one.get()), one.get().toString());
          }
        }
      }
      assertTrue(functions.size() >= FEWEST_FUNCTIONS, functions.toString());
    }
  }

  @Test
  void noFunctionOfACollatedExpressionHasAKernel() {
    for (String collation : COLLATIONS) {
      Set<String> functions = new TreeSet<>();
      for (String name : ExpressionCases.names()) {
        for (List<DataType> types : signatures(DataTypes.StringType)) {
          Optional<ExpressionCase> one = madeOne(name, types, collated(collation));
          if (one.isPresent()) {
            functions.add(name);
            checkNoKernel(convert(one.get()), one.get().toString());
          }
        }
      }
      assertTrue(functions.size() >= FEWEST_FUNCTIONS, functions.toString());
    }
  }

  /** What rows are placed and sorted by is of a type of ours, however it is computed. */
  @Test
  void noRowsArePartitionedOrSortedByThem() {
    for (DataType plain : plainTypes()) {
      assertTrue(convertsAsKey(plain, plain), plain.sql());
      for (String collation : COLLATIONS) {
        DataType other = with(plain, collated(collation));
        assertFalse(convertsAsKey(plain, other), other.sql());
      }
      for (DataType padded : List.<DataType>of(CharType.apply(3), VarcharType.apply(3))) {
        DataType other = with(plain, padded);
        assertFalse(convertsAsKey(plain, other), other.sql());
      }
    }
  }

  private static List<DataType> plainTypes() {
    DataType text = DataTypes.StringType;
    return List.of(
        text,
        DataTypes.createArrayType(text),
        new StructType().add("a", DataTypes.IntegerType).add("b", text),
        DataTypes.createArrayType(new StructType().add("a", text)));
  }

  /** Returns a type with other strings in it. */
  private static DataType with(DataType type, DataType text) {
    if (type instanceof ArrayType array) {
      return DataTypes.createArrayType(with(array.elementType(), text));
    }
    if (type instanceof StructType struct) {
      StructType changed = new StructType();
      for (StructField field : struct.fields()) {
        changed = changed.add(field.name(), with(field.dataType(), text));
      }
      return changed;
    }
    return type.equals(DataTypes.StringType) ? text : type;
  }

  /** Returns whether a node is ours that places or sorts rows by a column cast to a type. */
  private static boolean convertsAsKey(DataType of, DataType to) {
    AttributeReference column =
        new AttributeReference(
            "c",
            of,
            true,
            Metadata.empty(),
            NamedExpression.newExprId(),
            ScalaCollections.seq(List.of()));
    Expression key = new Cast(column, to, Option.empty());
    SortOrder order =
        new SortOrder(
            key, Ascending$.MODULE$, NullsFirst$.MODULE$, ScalaCollections.seq(List.of()));
    List<NodeConversion> conversions =
        List.of(
            placed(new HashPartitioning(ScalaCollections.seq(List.of(column, key)), 3), column),
            placed(new RangePartitioning(ScalaCollections.seq(List.of(order)), 3), column),
            SortTranslation.tryConvert(
                List.of(order),
                List.of(column),
                ConversionScope.trial(Set.of()),
                (input, keys) -> input));
    long converted = conversions.stream().filter(one -> one.node().isPresent()).count();
    assertTrue(converted == 0 || converted == conversions.size(), to.sql());
    return converted > 0;
  }

  private static NodeConversion placed(Partitioning partitioning, AttributeReference column) {
    return ExchangeTranslation.tryConvert(
        partitioning, List.of(column), ConversionScope.trial(Set.of()));
  }

  /** No part that kernels compute takes or makes other strings than those compared by bytes. */
  private static void checkNoKernel(Conversion conversion, String what) {
    conversion
        .tag()
        .all()
        .filter(part -> part.placement() == Placement.KERNEL)
        .map(TaggedExpression::expression)
        .forEach(
            part -> {
              assertFalse(isCollated(part), what);
              for (Expression child : ScalaCollections.<Expression>list(part.children())) {
                assertFalse(isCollated(child), what);
              }
            });
  }

  private static boolean isCollated(Expression expression) {
    return !SparkTypes.comparesByBytes(expression.dataType());
  }

  /** For trial: Spark generates no code for some of what is made. */
  private static Conversion convert(ExpressionCase one) {
    return new ExpressionConverter(one.columns(), ConversionScope.trial(Set.of()))
        .convert(one.expression());
  }

  /** Returns a call with all columns of strings cast to others. */
  private Optional<ExpressionCase> madeOne(String name, List<DataType> types, DataType collated) {
    Optional<ExpressionCase> plain = cases.make(name, types, 0, false, "UTC");
    if (plain.isEmpty() || name.endsWith(ExpressionCases.CAST)) {
      return Optional.empty();
    }
    ExpressionCase one = plain.get();
    try {
      Expression changed = cast(one.expression(), collated);
      boolean isRight = changed.resolved() && changed.checkInputDataTypes().isSuccess();
      return isRight
          ? Optional.of(new ExpressionCase(name, changed, one.columns(), one.isAnsi(), one.zone()))
          : Optional.empty();
    } catch (RuntimeException e) {
      return Optional.empty(); // Spark takes no such strings
    }
  }

  private static Expression cast(Expression expression, DataType collated) {
    if (expression instanceof AttributeReference column) {
      return column.dataType().equals(DataTypes.StringType)
          ? new Cast(column, collated, Option.empty())
          : column;
    }
    List<Expression> children = new ArrayList<>();
    for (Expression child : ScalaCollections.<Expression>list(expression.children())) {
      children.add(cast(child, collated));
    }
    return expression.withNewChildren(ScalaCollections.seq(children));
  }

  private static List<List<DataType>> signatures(DataType text) {
    DataType number = DataTypes.IntegerType;
    return List.of(
        List.of(text),
        List.of(text, text),
        List.of(text, number),
        List.of(DataTypes.BooleanType, text, text),
        List.of(text, text, text),
        List.of(text, text, number),
        List.of(text, number, number),
        List.of(text, number, text),
        List.of(text, text, number, number));
  }

  private static List<List<DataType>> nestedSignatures(DataType text) {
    DataType number = DataTypes.IntegerType;
    DataType list = DataTypes.createArrayType(text);
    DataType map = DataTypes.createMapType(DataTypes.StringType, text);
    DataType struct = new StructType().add("a", number).add("b", text);
    return List.of(
        List.of(list),
        List.of(map),
        List.of(struct),
        List.of(list, text),
        List.of(list, number),
        List.of(list, list),
        List.of(map, DataTypes.StringType),
        List.of(struct, struct),
        List.of(DataTypes.BooleanType, list, list));
  }

  private static DataType collated(String collation) {
    try {
      return StructType.fromDDL("c STRING COLLATE " + collation).fields()[0].dataType();
    } catch (Exception e) {
      assumeTrue(false, "this line of Spark has no collations");
      throw new IllegalStateException(e);
    }
  }
}
