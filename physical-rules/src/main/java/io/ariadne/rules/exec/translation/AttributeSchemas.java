package io.ariadne.rules.exec.translation;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.expression.ColumnTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;

/** Spark's attributes as our schemas. */
public final class AttributeSchemas {
  private AttributeSchemas() {}

  /** Returns a plan of columns, which replaces a node's child when its translation is tried. */
  public static PlanNode placeholder(List<? extends Attribute> columns) {
    return new InputNode(0, 0, schema(columns));
  }

  /** Returns why some attribute cannot be a column, or empty when all can. */
  public static Optional<String> reasonAgainst(List<? extends Attribute> attributes) {
    return attributes.stream()
        .filter(attribute -> typeOf(attribute).isEmpty())
        .findFirst()
        .map(a -> "column " + a + " has type " + a.dataType().sql() + ", which is not supported");
  }

  /**
   * Returns the schema of columns.
   *
   * @throws EngineException UNSUPPORTED when {@link #reasonAgainst} has a reason
   */
  public static Schema schema(List<? extends Attribute> attributes) {
    Optional<String> reason = reasonAgainst(attributes);
    if (reason.isPresent()) {
      throw new EngineException(ErrorCode.UNSUPPORTED, reason.get());
    }
    List<Field> fields = new ArrayList<>();
    for (Attribute attribute : attributes) {
      fields.add(
          new Field(nameOf(attribute), typeOf(attribute).orElseThrow(), attribute.nullable()));
    }
    return new Schema(fields);
  }

  /** Returns a column's name: an empty one where a StructField has none (SPARK-57725). */
  static String nameOf(NamedExpression column) {
    return Objects.requireNonNullElse(column.name(), "");
  }

  private static Optional<DataType> typeOf(Attribute attribute) {
    return ColumnTypes.of(attribute.dataType());
  }
}
