package io.ariadne.rules.exec.translation;

import io.ariadne.bridge.expression.ExpressionBridge;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.Call;
import io.ariadne.expression.Member;
import io.ariadne.expression.compiler.BridgedStages;
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
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;

/**
 * Translates joins. Keys and condition must never raise, and kernels must compute the condition. A
 * key that kernels alone cannot compute becomes a column of a projection below the join.
 */
public final class JoinTranslation {
  private final JoinShape shape;
  private final ConversionScope scope;
  private final Input probe;
  private final Input build;
  private final List<TaggedExpression> tags = new ArrayList<>();
  private final List<String> reasons = new ArrayList<>();

  private JoinTranslation(JoinShape shape, Side left, Side right, ConversionScope scope) {
    this.shape = shape;
    this.scope = scope;
    this.probe = new Input(shape.buildsLeft() ? right : left);
    this.build = new Input(shape.buildsLeft() ? left : right);
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
  public static NodeConversion convert(
      JoinShape shape,
      Side left,
      Side right,
      List<Attribute> output,
      IntSupplier numbers,
      ConversionScope scope) {
    JoinTranslation translation = new JoinTranslation(shape, left, right, scope);
    Optional<JoinSpec> spec = translation.spec(output);
    if (spec.isEmpty()) {
      return NodeConversion.failed(translation.tags, translation.reasons);
    }
    PlanNode probe = translation.probe.plan(numbers, scope);
    PlanNode build = translation.build.plan(numbers, scope);
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
  public record Side(List<Attribute> columns, PlanNode plan) {}

  /** A side and the keys that a projection appends to its columns. */
  private static final class Input {
    private final Side side;
    private final List<Alias> appended = new ArrayList<>();

    Input(Side side) {
      this.side = side;
    }

    /** Appends a key; returns its column. */
    Attribute append(Expression key) {
      Alias column = SortTranslation.alias(key, "key");
      appended.add(column);
      return column.toAttribute();
    }

    List<Attribute> columns() {
      List<Attribute> columns = new ArrayList<>(side.columns());
      appended.forEach(column -> columns.add(column.toAttribute()));
      return columns;
    }

    /** Returns the side with its keys, each of which has been translated on its own. */
    PlanNode plan(IntSupplier numbers, ConversionScope scope) {
      if (appended.isEmpty()) {
        return side.plan();
      }
      List<NamedExpression> projections = new ArrayList<>(side.columns());
      projections.addAll(appended);
      return ProjectTranslation.convert(projections, side.columns(), side.plan(), numbers, scope)
          .node()
          .orElseThrow(() -> new IllegalStateException("no projection of " + appended));
    }
  }

  /** Tries the translation of a join; arguments as for {@link #convert}. */
  public static NodeConversion tryConvert(
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
                    new Side(left, AttributeSchemas.placeholder(left)),
                    new Side(right, AttributeSchemas.placeholder(right)),
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
    var probeKeys = keys(shape.buildsLeft() ? shape.rightKeys() : shape.leftKeys(), probe);
    var buildKeys = keys(shape.buildsLeft() ? shape.leftKeys() : shape.rightKeys(), build);
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
            AttributeSchemas.schema(probe.columns()),
            AttributeSchemas.schema(build.columns()),
            probeKeys,
            buildKeys,
            condition,
            conditionColumns,
            columns,
            AttributeSchemas.schema(output)));
  }

  /** Refuses lists and structs on a side that the join may fill with nulls. */
  private void checkNulls(JoinKind kind) {
    if (kind.keepsProbeRows()) {
      checkFlat(build.side.columns());
    }
    if (kind.keepsBuildRows()) {
      checkFlat(probe.side.columns());
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

  private List<io.ariadne.expression.Expression> keys(List<Expression> keys, Input input) {
    if (keys.size() > GroupLimit.GROUP_MAX_KEYS) {
      reasons.add("more than " + GroupLimit.GROUP_MAX_KEYS + " keys");
    }
    List<io.ariadne.expression.Expression> converted = new ArrayList<>();
    for (Expression key : keys) {
      key(key, input).ifPresent(converted::add);
    }
    return converted;
  }

  private Optional<io.ariadne.expression.Expression> key(Expression key, Input input) {
    Conversion conversion = new ExpressionConverter(input.columns(), scope).convert(key);
    Optional<io.ariadne.expression.Expression> translated = total(conversion, key);
    if (translated.isEmpty() || isForKernels(translated.get())) {
      return translated;
    }
    Attribute column = input.append(key);
    return new ExpressionConverter(input.columns(), scope).convert(column).translated();
  }

  private io.ariadne.expression.Expression condition(
      Expression condition, List<Integer> conditionColumns) {
    List<Attribute> used = ExpressionBridge.references(condition);
    used.forEach(attribute -> conditionColumns.add(pairColumn(attribute)));
    Conversion conversion = new ExpressionConverter(used, scope).convert(condition);
    Optional<io.ariadne.expression.Expression> translated = total(conversion, condition);
    if (translated.filter(BridgedStages::isBridged).isPresent()) {
      reasons.add(condition + ": no kernel computes all of it");
    }
    return translated.orElse(null);
  }

  /** Returns a translation that raises for no row and has a hash, or adds a reason. */
  private Optional<io.ariadne.expression.Expression> total(
      Conversion conversion, Expression expression) {
    TaggedExpression tag = conversion.tag();
    tags.add(tag);
    if (conversion.translated().isEmpty()) {
      reasons.add(expression + ": " + tag.reason());
    } else if (tag.mayRaise()) {
      reasons.add(expression + ": it may raise");
    } else if (isNested(conversion.expression().type())) {
      reasons.add(expression + ": no hash of " + expression.dataType().sql());
    } else {
      return conversion.translated();
    }
    return Optional.empty();
  }

  /** Returns whether an expression has neither calls of host code nor members of structs. */
  private static boolean isForKernels(io.ariadne.expression.Expression expression) {
    return expression instanceof Call call
        ? call.arguments().stream().allMatch(JoinTranslation::isForKernels)
        : !(expression instanceof Member) && !(expression instanceof BridgedCall);
  }

  /** Returns the number of a column within a pair. */
  private int pairColumn(Attribute attribute) {
    int ofProbe = indexOf(attribute, probe.columns());
    if (ofProbe >= 0) {
      return ofProbe;
    }
    int ofBuild = indexOf(attribute, build.columns());
    return probe.columns().size() + (ofBuild >= 0 ? ofBuild : build.columns().size());
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
