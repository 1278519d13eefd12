package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import java.io.Serializable;

/**
 * A constant.
 *
 * @param value null, or by type: Boolean; Byte, Short, Integer, Long for integers, dates (days),
 *     timestamps and intervals; Float; Double; BigInteger (the unscaled value) for decimals; {@code
 *     byte[]} for strings (UTF-8) and binary
 * @param type the type
 */
public record Literal(Serializable value, DataType type) implements Expression {
  @Override
  public boolean nullable() {
    return value == null;
  }
}
