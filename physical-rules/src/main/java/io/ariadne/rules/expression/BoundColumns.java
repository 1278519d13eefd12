package io.ariadne.rules.expression;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;

/** Columns that an expression names by their position, as Spark's bound expressions do. */
public final class BoundColumns {
  private BoundColumns() {}

  /**
   * Returns an expression that names its columns by attributes.
   *
   * @param bound names them by their positions
   * @param columns the attributes, by position
   */
  public static Expression unbind(Expression bound, List<Attribute> columns) {
    return ExpressionParts.rewrite(
        bound,
        BoundReference.class::isInstance,
        part -> columns.get(((BoundReference) part).ordinal()));
  }
}
