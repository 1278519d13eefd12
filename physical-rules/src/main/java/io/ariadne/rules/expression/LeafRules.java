package io.ariadne.rules.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.expression.Literal;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.execution.ScalarSubquery;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/** Columns, constants and names. */
final class LeafRules {
  private LeafRules() {}

  static List<ExpressionRule<?>> rules() {
    return List.of(
        ExpressionRule.structural(AttributeReference.class, "column", (e, walk) -> walk.column(e)),
        ExpressionRule.structural(Alias.class, "name", (e, walk) -> walk.operand(e.child())),
        ExpressionRule.structural(
            org.apache.spark.sql.catalyst.expressions.Literal.class,
            "constant",
            (e, walk) -> literal(e.value(), walk.type(e))),
        ExpressionRule.structural(
            ScalarSubquery.class,
            "constant, once the subquery has run",
            (e, walk) -> new Literal(null, walk.type(e))));
  }

  /**
   * Returns a constant.
   *
   * @param value as Catalyst keeps it inside, or null
   * @param type our type of it
   */
  private static Literal literal(Object value, DataType type) {
    if (value instanceof UTF8String string) {
      return new Literal(string.getBytes(), type);
    }
    if (value instanceof Decimal decimal) {
      BigDecimal exact = decimal.toJavaBigDecimal().stripTrailingZeros();
      int scale = ((DecimalType) type).scale();
      if (exact.scale() > scale) {
        throw new NoKernelException("constants of more digits than their type");
      }
      return new Literal(exact.setScale(scale).unscaledValue(), type);
    }
    if (value == null
        || value instanceof Number
        || value instanceof Boolean
        || value instanceof byte[]) {
      return new Literal((Serializable) value, type);
    }
    throw new NoKernelException("constants of " + value.getClass().getSimpleName());
  }
}
