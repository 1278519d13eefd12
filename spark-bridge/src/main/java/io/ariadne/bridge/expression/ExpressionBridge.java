package io.ariadne.bridge.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.type.SparkTypes;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BindReferences;
import org.apache.spark.sql.catalyst.expressions.CsvToStructs;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Generator;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.Unevaluable;
import org.apache.spark.sql.catalyst.expressions.package$;
import org.apache.spark.sql.types.DataType;

/** Decides which expressions can be bridged, and over which inputs. Stateless. */
public final class ExpressionBridge {
  private ExpressionBridge() {}

  /**
   * Returns why {@link SparkExpressionFunction} cannot compute an expression, or empty when it can.
   * Expressions that Spark calls stateful (with internal buffers, such as maps and user-defined
   * functions) are supported, because every thread has its own copy.
   *
   * @param expression a resolved expression over a plan node's input
   * @param ordered whether rows come in order and on one thread, so that an expression may depend
   *     on earlier rows or on the partition's number
   */
  public static Optional<String> reasonAgainst(Expression expression, boolean ordered) {
    if (!ordered && !expression.deterministic()) {
      return Optional.of(named(expression) + " is not deterministic");
    }
    return structuralReason(expression)
        .or(() -> SparkTypes.unsupportedReason(expression.dataType()))
        .or(() -> inputReason(expression));
  }

  /**
   * Returns whether the value of an expression, or of a part of it, may depend on earlier rows of
   * its task, though Spark calls it deterministic. Only Spark computes such an expression, with its
   * own partitions.
   */
  public static boolean dependsOnRowsBefore(Expression expression) {
    return isOfRowsBefore(expression)
        || children(expression).stream().anyMatch(ExpressionBridge::dependsOnRowsBefore);
  }

  private static boolean isOfRowsBefore(Expression part) {
    return part instanceof CsvToStructs csv && CsvRecords.readsVariants(csv);
  }

  private static Optional<String> structuralReason(Expression expression) {
    if (expression instanceof PlanExpression) {
      return Optional.of(named(expression) + " is a subquery");
    }
    if (isOfRowsBefore(expression)) {
      return Optional.of(named(expression) + " reads a variant by the records before it");
    }
    boolean isAttribute = expression instanceof Attribute;
    if (!isAttribute && (expression instanceof Unevaluable || expression instanceof Generator)) {
      return Optional.of(named(expression) + " is not computed row by row");
    }
    return children(expression).stream()
        .map(ExpressionBridge::structuralReason)
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<String> inputReason(Expression expression) {
    return references(expression).stream()
        .map(
            attribute ->
                SparkTypes.unsupportedReason(attribute.dataType())
                    .map(reason -> "input " + attribute.name() + ": " + reason))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static List<Expression> children(Expression expression) {
    return ScalaCollections.list(expression.children());
  }

  private static String named(Expression expression) {
    return expression.prettyName();
  }

  /** Returns the attributes that an expression reads, each once, in the order of their ids. */
  public static List<Attribute> references(Expression expression) {
    return ScalaCollections.list(expression.references().toSeq());
  }

  /**
   * Returns the expression with its attributes replaced by positions.
   *
   * @param inputs a superset of the attributes that the expression reads
   */
  public static Expression bind(Expression expression, List<? extends Attribute> inputs) {
    return BindReferences.bindReference(
        expression, package$.MODULE$.AttributeSeq(ScalaCollections.<Attribute>seq(inputs)), false);
  }

  static DataType[] types(List<? extends Attribute> inputs) {
    return inputs.stream().map(Attribute::dataType).toArray(DataType[]::new);
  }
}
