package io.ariadne.rules.function;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;

/**
 * One expression out of an example, with columns in the place of constants, so that Spark cannot
 * compute it while it plans.
 *
 * @param expression resolved, as the optimizer sees it
 * @param columns what it reads
 * @param values what the example has in the columns' places
 */
public record FunctionExample(
    Expression expression, List<AttributeReference> columns, List<Literal> values) {
  /** Copies the lists. */
  public FunctionExample {
    columns = List.copyOf(columns);
    values = List.copyOf(values);
  }
}
