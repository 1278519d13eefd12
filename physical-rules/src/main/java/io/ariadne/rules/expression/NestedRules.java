package io.ariadne.rules.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.StructType;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Literal;
import io.ariadne.expression.Member;
import io.ariadne.expression.UnknownConstant;
import io.ariadne.expression.compiler.TileProgramCompiler;
import io.ariadne.expression.nested.ArrayItem;
import io.ariadne.expression.nested.ArraySize;
import io.ariadne.expression.nested.ListParts;
import io.ariadne.expression.nested.MapValue;
import io.ariadne.expression.nested.NestedFunction;
import io.ariadne.expression.nested.StructOf;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.ElementAt;
import org.apache.spark.sql.catalyst.expressions.GetArrayItem;
import org.apache.spark.sql.catalyst.expressions.GetArrayStructFields;
import org.apache.spark.sql.catalyst.expressions.GetMapValue;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.MapKeys;
import org.apache.spark.sql.catalyst.expressions.MapValues;
import org.apache.spark.sql.catalyst.expressions.Size;
import org.apache.spark.sql.execution.ScalarSubquery;

/**
 * Access to arrays, structs and maps, and structs of values. Operands are columns or parts of
 * columns. An operand that Spark's code has to compute first sends the whole expression through the
 * bridge.
 */
final class NestedRules {
  private static final String OF_COLUMNS = "of columns";

  private NestedRules() {}

  static List<ExpressionRule<?>> rules() {
    return List.of(
        ExpressionRule.structural(GetStructField.class, OF_COLUMNS, NestedRules::member),
        ExpressionRule.structural(Size.class, OF_COLUMNS, NestedRules::size),
        ExpressionRule.structural(
            GetArrayItem.class, OF_COLUMNS + ", not with ANSI errors", NestedRules::item),
        ExpressionRule.structural(
            GetMapValue.class,
            OF_COLUMNS + "; keys are integers, booleans, dates, timestamps or strings",
            (e, walk) -> value(e, e.child(), e.key(), walk)),
        ExpressionRule.structural(
            ElementAt.class,
            "as GetMapValue; of arrays those of split_part",
            NestedRules::elementAt),
        ExpressionRule.structural(
            GetArrayStructFields.class,
            OF_COLUMNS,
            (e, walk) -> parts(e, e.child(), e.ordinal(), walk)),
        ExpressionRule.structural(
            MapKeys.class, OF_COLUMNS, (e, walk) -> parts(e, e.child(), 0, walk)),
        ExpressionRule.structural(
            MapValues.class, OF_COLUMNS, (e, walk) -> parts(e, e.child(), 1, walk)),
        ExpressionRule.structural(
            CreateNamedStruct.class, "of values that cannot raise", NestedRules::struct));
  }

  private static Expression member(GetStructField field, ExpressionWalk walk) {
    if (field.child().getClass() == ScalarSubquery.class) { // of several that run as one
      return LeafRules.unknown(field, walk);
    }
    return new Member(column(field.child(), walk), field.ordinal(), field.nullable());
  }

  private static Expression size(Size size, ExpressionWalk walk) {
    return call(new ArraySize(size.legacySizeOfNull()), size, List.of(column(size.child(), walk)));
  }

  private static Expression item(GetArrayItem item, ExpressionWalk walk) {
    if (item.failOnError()) {
      throw new NoKernelException("it raises where there is no such element");
    }
    Expression list = column(item.child(), walk);
    Expression position = key(item.ordinal(), walk);
    if (position.type() != PrimitiveType.INT32) {
      throw new NoKernelException("positions of type " + item.ordinal().dataType().sql());
    }
    return call(new ArrayItem(walk.type(item)), item, List.of(list, position));
  }

  private static Expression elementAt(ElementAt element, ExpressionWalk walk) {
    if (element.defaultValueOutOfBound().isDefined()) {
      return CodedStringRules.splitPart(element, walk);
    }
    return value(element, element.left(), element.right(), walk);
  }

  private static Expression value(
      org.apache.spark.sql.catalyst.expressions.Expression value,
      org.apache.spark.sql.catalyst.expressions.Expression child,
      org.apache.spark.sql.catalyst.expressions.Expression wanted,
      ExpressionWalk walk) {
    Expression map = column(child, walk);
    Expression key = key(wanted, walk);
    boolean isFound =
        map.type() instanceof MapType type
            && type.key().equals(key.type())
            && MapValue.findsKeys(type.key());
    if (!isFound) {
      throw new NoKernelException("elements of " + child.dataType().sql());
    }
    return call(new MapValue(walk.type(value)), value, List.of(map, key));
  }

  private static Expression parts(
      org.apache.spark.sql.catalyst.expressions.Expression part,
      org.apache.spark.sql.catalyst.expressions.Expression child,
      int ordinal,
      ExpressionWalk walk) {
    ListParts function = new ListParts((ListType) walk.type(part), ordinal);
    return call(function, part, List.of(column(child, walk)));
  }

  private static Expression struct(CreateNamedStruct struct, ExpressionWalk walk) {
    List<Expression> members = new ArrayList<>();
    for (var value :
        ScalaCollections.<org.apache.spark.sql.catalyst.expressions.Expression>list(
            struct.valExprs())) {
      members.add(walk.operand(value));
    }
    return call(new StructOf((StructType) walk.type(struct)), struct, members);
  }

  /** Kernels do not mask the rows of calls, so that no operand may raise. */
  private static Expression call(
      NestedFunction function,
      org.apache.spark.sql.catalyst.expressions.Expression expression,
      List<Expression> arguments) {
    if (arguments.stream().anyMatch(TileProgramCompiler::mayRaise)) {
      throw new NoKernelException("an operand may raise or goes through the bridge");
    }
    return new BridgedCall(function, arguments, expression.nullable());
  }

  /** Translates an array, struct or map, which is not computed but taken from where it is. */
  private static Expression column(
      org.apache.spark.sql.catalyst.expressions.Expression expression, ExpressionWalk walk) {
    Expression translated = walk.operand(expression);
    Expression root = translated;
    while (root instanceof Member member) {
      root = member.struct();
    }
    boolean isTaken = root instanceof BridgedCall call && call.function() instanceof NestedFunction;
    if (!isTaken && !(root instanceof ColumnReference)) {
      throw new NoKernelException("its operand is computed by Spark's code");
    }
    return translated;
  }

  /** Translates a position or key, computed for rows for which Spark does not. */
  private static Expression key(
      org.apache.spark.sql.catalyst.expressions.Expression expression, ExpressionWalk walk) {
    Expression key = walk.operand(expression);
    boolean isConstant = key instanceof Literal || key instanceof UnknownConstant;
    return isConstant ? key : column(expression, walk);
  }
}
