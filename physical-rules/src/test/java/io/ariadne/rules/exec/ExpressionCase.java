package io.ariadne.rules.exec;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * One expression over columns named c0, c1 and so on, with the settings it was made under.
 *
 * @param name the function's name
 * @param expression Spark's, resolved
 * @param columns what it reads, by position
 * @param isAnsi whether it was made in ANSI mode
 * @param zone the session's time zone
 */
record ExpressionCase(
    String name,
    Expression expression,
    List<AttributeReference> columns,
    boolean isAnsi,
    String zone) {
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(expression.toString());
    for (AttributeReference column : columns) {
      text.append(", ").append(column.name()).append(' ').append(column.dataType().sql());
    }
    return text + ", ansi " + isAnsi + ", " + zone;
  }
}
