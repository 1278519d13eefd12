package io.ariadne.rules.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.expression.Literal;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Optional;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/** Converts Catalyst's constants to Ariadne's. */
public final class Constants {
  private Constants() {}

  /**
   * Returns a constant, or empty when constants of its kind are not supported.
   *
   * @param value the value in Catalyst's inner form, or null
   * @param type our type of the value
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
   * @param value the value in Catalyst's inner form, or null
   * @param type our type of the value
   * @throws NoKernelException when constants of its kind are not supported
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
