package io.ariadne.rules.exec;

import io.ariadne.bridge.expression.ExpressionBridge;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.abi.GroupLimit;
import io.ariadne.operator.join.JoinKind;
import io.ariadne.operator.join.JoinSpec;
import io.ariadne.plan.JoinNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.expression.Conversion;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.expression.ExpressionConverter;
import io.ariadne.rules.expression.TaggedExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;

/** Translates joins. Keys and condition are computed by kernels alone and raise for no row. */
final class JoinTranslation {
  private final JoinShape shape;
  private final List<Attribute> probeColumns;
  private final List<Attribute> buildColumns;
  private final ConversionScope scope;
  private final List<TaggedExpression> tags = new ArrayList<>();
  private final List<String> reasons = new ArrayList<>();

  private JoinTranslation(
      JoinShape shape, List<Attribute> left, List<Attribute> right, ConversionScope scope) {
    this.shape = shape;
    this.probeColumns = shape.buildsLeft() ? right : left;
    this.buildColumns = shape.buildsLeft() ? left : right;
    this.scope = scope;
  }

  /**
   * Translates a join.
   *
   * @param shape the join
   * @param left the left side's columns and plan
   * @param right the right side's
   * @param output Spark's columns of the output
   * @param numbers gives plan nodes their numbers
   * @param scope settings and replay table
   */
  static NodeConversion convert(
      JoinShape shape,
      Side left,
      Side right,
      List<Attribute> output,
      IntSupplier numbers,
      ConversionScope scope) {
    JoinTranslation translation =
        new JoinTranslation(shape, left.columns(), right.columns(), scope);
    Optional<JoinSpec> spec = translation.spec(output);
    if (spec.isEmpty()) {
      return NodeConversion.failed(translation.tags, translation.reasons);
    }
    PlanNode probe = shape.buildsLeft() ? right.plan() : left.plan();
    PlanNode build = shape.buildsLeft() ? left.plan() : right.plan();
    int buildNumber = numbers.getAsInt();
    PlanNode node = new JoinNode(numbers.getAsInt(), buildNumber, probe, build, spec.get());
    return new NodeConversion(Optional.of(node), translation.tags, List.of(), List.of());
  }

  /**
   * One side of a join.
   *
   * @param columns its columns
   * @param plan its plan
   */
  record Side(List<Attribute> columns, PlanNode plan) {}

  /** Tries the translation of a join; arguments as for {@link #convert}. */
  static NodeConversion tryConvert(
      JoinShape shape,
      List<Attribute> left,
      List<Attribute> right,
      List<Attribute> output,
      ConversionScope scope) {
    List<Attribute> columns = new ArrayList<>(left);
    columns.addAll(right);
    columns.addAll(output);
    return AttributeSchemas.reasonAgainst(columns)
        .map(NodeConversion::failed)
        .orElseGet(
            () ->
                convert(
                    shape,
                    new Side(left, FragmentBuilder.placeholder(left)),
                    new Side(right, FragmentBuilder.placeholder(right)),
                    output,
                    () -> 0,
                    scope));
  }

  private Optional<JoinSpec> spec(List<Attribute> output) {
    Optional<JoinKind> kind = shape.kind();
    if (kind.isEmpty()) {
      reasons.add("no " + shape.joinType() + " join that builds its " + shape.buildSide());
      return Optional.empty();
    }
    checkNulls(kind.get());
    if (output.stream().map(Attribute::exprId).distinct().count() < output.size()) {
      reasons.add("a column occurs twice");
    }
    var probeKeys = keys(shape.buildsLeft() ? shape.rightKeys() : shape.leftKeys(), probeColumns);
    var buildKeys = keys(shape.buildsLeft() ? shape.leftKeys() : shape.rightKeys(), buildColumns);
    List<Integer> conditionColumns = new ArrayList<>();
    var condition =
        shape.condition().isDefined() ? condition(shape.condition().get(), conditionColumns) : null;
    if (!reasons.isEmpty()) {
      return Optional.empty();
    }
    List<Integer> columns = new ArrayList<>();
    for (Attribute attribute : output) {
      columns.add(pairColumn(attribute));
    }
    return Optional.of(
        new JoinSpec(
            kind.get(),
            AttributeSchemas.schema(probeColumns),
            AttributeSchemas.schema(buildColumns),
            probeKeys,
            buildKeys,
            condition,
            conditionColumns,
            columns,
            AttributeSchemas.schema(output)));
  }

  /** Nulls in the place of a row have no lists or structs. */
  private void checkNulls(JoinKind kind) {
    if (kind == JoinKind.OUTER || kind == JoinKind.FULL) {
      checkFlat(buildColumns);
    }
    if (kind == JoinKind.FULL) {
      checkFlat(probeColumns);
    }
  }

  private void checkFlat(List<Attribute> columns) {
    for (Field field : AttributeSchemas.schema(columns).fields()) {
      if (isNested(field.type())) {
        reasons.add("no nulls for rows with " + field.name() + ", which has parts");
      }
    }
  }

  private static boolean isNested(DataType type) {
    PhysicalType layout = type.defaultPhysicalType();
    return type != PrimitiveType.NULL
        && (layout == PhysicalType.OFFSETS || layout == PhysicalType.NONE);
  }

  private List<io.ariadne.expression.Expression> keys(
      List<Expression> keys, List<Attribute> columns) {
    if (keys.size() > GroupLimit.GROUP_MAX_KEYS) {
      reasons.add("more than " + GroupLimit.GROUP_MAX_KEYS + " keys");
    }
    ExpressionConverter converter = new ExpressionConverter(columns, scope);
    List<io.ariadne.expression.Expression> converted = new ArrayList<>();
    for (Expression key : keys) {
      kernelOnly(converter.convert(key), key).ifPresent(converted::add);
    }
    return converted;
  }

  private io.ariadne.expression.Expression condition(
      Expression condition, List<Integer> conditionColumns) {
    List<Attribute> used = ExpressionBridge.references(condition);
    used.forEach(attribute -> conditionColumns.add(pairColumn(attribute)));
    Conversion conversion = new ExpressionConverter(used, scope).convert(condition);
    return kernelOnly(conversion, condition).orElse(null);
  }

  private Optional<io.ariadne.expression.Expression> kernelOnly(
      Conversion conversion, Expression expression) {
    TaggedExpression tag = conversion.tag();
    tags.add(tag);
    if (conversion.translated().isEmpty()) {
      reasons.add(expression + ": " + tag.reason());
    } else if (tag.isBridgedSomewhere()) {
      reasons.add(expression + ": no kernel computes it");
    } else if (tag.mayRaise()) {
      reasons.add(expression + ": it may raise");
    } else if (isNested(conversion.expression().type())) {
      reasons.add(expression + ": no hash of " + expression.dataType().sql());
    } else {
      return conversion.translated();
    }
    return Optional.empty();
  }

  /** Returns the number of a column within a pair. */
  private int pairColumn(Attribute attribute) {
    int probe = indexOf(attribute, probeColumns);
    if (probe >= 0) {
      return probe;
    }
    int build = indexOf(attribute, buildColumns);
    return probeColumns.size() + (build >= 0 ? build : buildColumns.size());
  }

  private static int indexOf(Attribute attribute, List<Attribute> columns) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).exprId().equals(attribute.exprId())) {
        return i;
      }
    }
    return -1;
  }
}
