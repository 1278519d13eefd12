package io.ariadne.rules.exec.translation;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.nested.OrderBytes;
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
 * Translates orders of rows. A projection below the sort computes keys that are not columns, and a
 * projection above removes them. Arrays and structs are sorted by computed bytes ({@link
 * OrderBytes}).
 */
public final class SortTranslation {
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
  public static NodeConversion convert(
      List<SortOrder> order,
      List<Attribute> input,
      PlanNode child,
      IntSupplier numbers,
      ConversionScope scope,
      BiFunction<PlanNode, List<SortColumn>, PlanNode> node) {
    return convertKeyed(
        order,
        input,
        child,
        numbers,
        scope,
        (keyed, keys) -> {
          PlanNode sorted = node.apply(keyed, keys);
          return keyed == child ? sorted : withoutKeys(numbers.getAsInt(), sorted, child.schema());
        });
  }

  /**
   * Translates what reads the keys of an order; arguments as for {@link #convert}.
   *
   * @param node makes our node over an input that has the child's columns first, and behind them
   *     the keys that are none of these
   */
  public static NodeConversion convertKeyed(
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
          List<SortColumn> flatKeys = new ArrayList<>();
          PlanNode flat = withOrderBytes(below, keys, numbers, flatKeys);
          return NodeConversion.of(node.apply(flat, flatKeys));
        });
  }

  /** Tries the translation of such a node; arguments as for {@link #convert}. */
  public static NodeConversion tryConvert(
      List<SortOrder> order,
      List<Attribute> input,
      ConversionScope scope,
      BiFunction<PlanNode, List<SortColumn>, PlanNode> node) {
    return AttributeSchemas.reasonAgainst(input)
        .map(NodeConversion::failed)
        .orElseGet(
            () -> convert(order, input, AttributeSchemas.placeholder(input), () -> 0, scope, node));
  }

  private static Optional<String> reasonAgainst(List<SortOrder> order) {
    int strings = 0;
    for (SortOrder key : order) {
      Optional<DataType> type = ColumnTypes.of(key.child().dataType());
      boolean isNested = type.isPresent() && OrderBytes.supports(type.get());
      if (type.isEmpty() || !(isNested || SortKey.supports(type.get()))) {
        return Optional.of("no order for type " + key.child().dataType().sql());
      }
      strings += isNested || type.get().defaultPhysicalType() == PhysicalType.VIEW16 ? 1 : 0;
    }
    return strings <= RowSort.MAX_STRING_KEYS
        ? Optional.empty()
        : Optional.of("more than " + RowSort.MAX_STRING_KEYS + " strings to order by");
  }

  /** Returns which way a key is sorted. */
  public static SortDirection direction(SortOrder key) {
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

  /** Returns a new column of this name. */
  public static Alias alias(Expression key, String name) {
    return new Alias(
        key,
        name,
        NamedExpression.newExprId(),
        ScalaCollections.seq(List.of()),
        Option.empty(),
        ScalaCollections.seq(List.of()));
  }

  /**
   * Appends the order bytes of keys that are arrays or structs.
   *
   * @param input whose columns are the keys
   * @param keys columns of the input
   * @param numbers gives plan nodes their numbers
   * @param flatKeys takes the keys by which to sort what is returned
   * @return the input when there is no such key
   */
  private static PlanNode withOrderBytes(
      PlanNode input, List<SortColumn> keys, IntSupplier numbers, List<SortColumn> flatKeys) {
    List<io.ariadne.expression.Expression> columns = columnsOf(input.schema());
    List<Field> fields = new ArrayList<>(input.schema().fields());
    for (SortColumn key : keys) {
      Field field = input.schema().field(key.column());
      if (SortKey.supports(field.type())) {
        flatKeys.add(key);
      } else {
        OrderBytes order = new OrderBytes(field.type());
        flatKeys.add(new SortColumn(columns.size(), key.direction()));
        fields.add(new Field("order of " + field.name(), order.resultType(), field.nullable()));
        columns.add(new BridgedCall(order, List.of(columns.get(key.column())), field.nullable()));
      }
    }
    return fields.size() == input.schema().columnCount()
        ? input
        : new ProjectNode(
            numbers.getAsInt(), input, columns, new Schema(fields), ExpressionError.NO_ORIGIN);
  }

  private static PlanNode withoutKeys(int id, PlanNode sorted, Schema schema) {
    return new ProjectNode(id, sorted, columnsOf(schema), schema, ExpressionError.NO_ORIGIN);
  }

  private static List<io.ariadne.expression.Expression> columnsOf(Schema schema) {
    List<io.ariadne.expression.Expression> columns = new ArrayList<>();
    for (int i = 0; i < schema.columnCount(); i++) {
      columns.add(new ColumnReference(i, schema.field(i).type(), schema.field(i).nullable()));
    }
    return columns;
  }
}
