package io.ariadne.rules.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.expression.Literal;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Optional;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/** Catalyst's constants as ours. */
public final class Constants {
  private Constants() {}

  /**
   * Returns a constant, or empty when there is none of its kind.
   *
   * @param value as Catalyst keeps it inside, or null
   * @param type our type of it
   */
  public static Optional<Literal> tryOf(Object value, DataType type) {
    try {
      return Optional.of(of(value, type));
    } catch (NoKernelException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns a constant.
   *
   * @param value as Catalyst keeps it inside, or null
   * @param type our type of it
   * @throws NoKernelException when there is no constant of its kind
   */
  static Literal of(Object value, DataType type) {
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
