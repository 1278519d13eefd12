package io.ariadne.rules.exec.translation;

import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.ColumnReference;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ProjectNode;
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
import org.apache.spark.sql.catalyst.expressions.NamedExpression;

/** Translates projections. */
public final class ProjectTranslation {
  private ProjectTranslation() {}

  /**
   * Translates a projection.
   *
   * @param projections Spark's output expressions over {@code input}
   * @param input the child's columns
   * @param child the child's plan
   * @param numbers gives plan nodes their numbers
   * @param scope settings and replay table
   */
  public static NodeConversion convert(
      List<? extends NamedExpression> projections,
      List<? extends Attribute> input,
      PlanNode child,
      IntSupplier numbers,
      ConversionScope scope) {
    boolean isDeterministic =
        projections.stream().allMatch(projection -> ((Expression) projection).deterministic());
    return isDeterministic || projections.stream().allMatch(ProjectTranslation::isPlain)
        ? convertTogether(projections, input, child, numbers, scope)
        : convertInTurns(projections, input, child, numbers, scope);
  }

  /** Returns whether a projection is a column, or not deterministic and so never raises. */
  private static boolean isPlain(NamedExpression projection) {
    return projection instanceof Attribute || !((Expression) projection).deterministic();
  }

  /**
   * Non-deterministic expressions are computed first, because others may be computed again for some
   * rows.
   */
  private static NodeConversion convertInTurns(
      List<? extends NamedExpression> projections,
      List<? extends Attribute> input,
      PlanNode child,
      IntSupplier numbers,
      ConversionScope scope) {
    List<NamedExpression> first = new ArrayList<>(input);
    List<NamedExpression> then = new ArrayList<>();
    for (NamedExpression projection : projections) {
      boolean isFirst = !((Expression) projection).deterministic();
      then.add(isFirst ? projection.toAttribute() : projection);
      if (isFirst) {
        first.add(projection);
      }
    }
    List<Attribute> columns = first.stream().map(NamedExpression::toAttribute).toList();
    return convertTogether(first, input, child, numbers, scope)
        .then(node -> convertTogether(then, columns, node, numbers, scope));
  }

  private static NodeConversion convertTogether(
      List<? extends NamedExpression> projections,
      List<? extends Attribute> input,
      PlanNode child,
      IntSupplier numbers,
      ConversionScope scope) {
    ExpressionConverter converter = new ExpressionConverter(input, scope);
    List<Expression> sources = new ArrayList<>();
    List<TaggedExpression> tags = new ArrayList<>();
    List<String> reasons = new ArrayList<>();
    List<io.ariadne.expression.Expression> translated = new ArrayList<>();
    List<Field> fields = new ArrayList<>();
    for (NamedExpression projection : projections) {
      Expression source = (Expression) projection;
      Conversion conversion = converter.convertInOrder(source);
      sources.add(source);
      tags.add(conversion.tag());
      if (conversion.translated().isEmpty()) {
        reasons.add(projection + ": " + conversion.tag().reason());
      } else {
        io.ariadne.expression.Expression expression = conversion.expression();
        translated.add(expression);
        fields.add(
            new Field(
                AttributeSchemas.nameOf(projection), expression.type(), expression.nullable()));
      }
    }
    if (!reasons.isEmpty()) {
      return NodeConversion.failed(tags, reasons);
    }
    PlanNode node =
        isIdentity(translated, child.schema())
            ? child
            : new ProjectNode(
                numbers.getAsInt(),
                child,
                translated,
                new Schema(fields),
                scope.originOf(sources, tags, input));
    return new NodeConversion(Optional.of(node), tags, List.of(), List.of());
  }

  /** Returns whether the expressions are the input's columns in order. */
  static boolean isIdentity(List<io.ariadne.expression.Expression> expressions, Schema input) {
    if (expressions.size() != input.columnCount()) {
      return false;
    }
    for (int i = 0; i < expressions.size(); i++) {
      if (!(expressions.get(i) instanceof ColumnReference column) || column.index() != i) {
        return false;
      }
    }
    return true;
  }
}
