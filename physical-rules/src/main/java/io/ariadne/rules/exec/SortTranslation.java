package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.ExpressionError;
import io.ariadne.kernel.sort.RowSort;
import io.ariadne.kernel.sort.SortDirection;
import io.ariadne.kernel.sort.SortKey;
import io.ariadne.operator.sort.SortColumn;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ProjectNode;
import io.ariadne.rules.expression.ColumnTypes;
import io.ariadne.rules.expression.ConversionScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NullsLast$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import scala.Option;

/**
 * Translates orders of rows. Keys that are no columns are computed by a projection below and left
 * out by one above.
 */
final class SortTranslation {
  private SortTranslation() {}

  /**
   * Translates a node that needs rows by an order.
   *
   * @param order Spark's, the most significant first, over {@code input}
   * @param input the child's columns
   * @param child the child's plan
   * @param numbers gives plan nodes their numbers
   * @param scope settings and replay table
   * @param node makes our node over an input whose columns are the keys
   */
  static NodeConversion convert(
      List<SortOrder> order,
      List<Attribute> input,
      PlanNode child,
      IntSupplier numbers,
      ConversionScope scope,
      BiFunction<PlanNode, List<SortColumn>, PlanNode> node) {
    Optional<String> reason = reasonAgainst(order);
    if (reason.isPresent()) {
      return NodeConversion.failed(reason.get());
    }
    List<NamedExpression> columns = new ArrayList<>(input);
    List<SortColumn> keys = new ArrayList<>();
    for (SortOrder key : order) {
      keys.add(new SortColumn(columnOf(key.child(), input, columns), direction(key)));
    }
    NodeConversion keyed = ProjectTranslation.convert(columns, input, child, numbers, scope);
    return keyed.then(
        below -> {
          PlanNode sorted = node.apply(below, keys);
          PlanNode top =
              below == child ? sorted : withoutKeys(numbers.getAsInt(), sorted, child.schema());
          return new NodeConversion(Optional.of(top), List.of(), List.of(), List.of());
        });
  }

  /** Tries the translation of such a node; arguments as for {@link #convert}. */
  static NodeConversion tryConvert(
      List<SortOrder> order,
      List<Attribute> input,
      ConversionScope scope,
      BiFunction<PlanNode, List<SortColumn>, PlanNode> node) {
    return AttributeSchemas.reasonAgainst(input)
        .map(NodeConversion::failed)
        .orElseGet(
            () -> convert(order, input, FragmentBuilder.placeholder(input), () -> 0, scope, node));
  }

  private static Optional<String> reasonAgainst(List<SortOrder> order) {
    int strings = 0;
    for (SortOrder key : order) {
      Optional<DataType> type = ColumnTypes.of(key.child().dataType());
      if (type.isEmpty() || !SortKey.supports(type.get())) {
        return Optional.of("no order for type " + key.child().dataType().sql());
      }
      strings += type.get().defaultPhysicalType() == PhysicalType.VIEW16 ? 1 : 0;
    }
    return strings <= RowSort.MAX_STRING_KEYS
        ? Optional.empty()
        : Optional.of("more than " + RowSort.MAX_STRING_KEYS + " strings to order by");
  }

  private static SortDirection direction(SortOrder key) {
    return new SortDirection(!key.isAscending(), key.nullOrdering() == NullsLast$.MODULE$);
  }

  /** Returns a key's column, appended when the input has none. */
  private static int columnOf(
      Expression key, List<Attribute> input, List<NamedExpression> columns) {
    for (int i = 0; i < input.size(); i++) {
      if (key.semanticEquals(input.get(i))) {
        return i;
      }
    }
    columns.add(alias(key, "sortKey" + columns.size()));
    return columns.size() - 1;
  }

  private static Alias alias(Expression key, String name) {
    return new Alias(
        key,
        name,
        NamedExpression.newExprId(),
        ScalaCollections.seq(List.of()),
        Option.empty(),
        ScalaCollections.seq(List.of()));
  }

  private static PlanNode withoutKeys(int id, PlanNode sorted, Schema schema) {
    List<io.ariadne.expression.Expression> columns = new ArrayList<>();
    for (int i = 0; i < schema.columnCount(); i++) {
      columns.add(new ColumnReference(i, schema.field(i).type(), schema.field(i).nullable()));
    }
    return new ProjectNode(id, sorted, columns, schema, ExpressionError.NO_ORIGIN);
  }
}
