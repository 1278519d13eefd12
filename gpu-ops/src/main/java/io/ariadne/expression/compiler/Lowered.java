package io.ariadne.expression.compiler;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import java.math.BigInteger;

/**
 * An expression's values in registers.
 *
 * @param type logical type
 * @param form what the register contains
 * @param value the register, or a constant (never for {@link Form#MASK})
 * @param validity rows that are not null, or null when all are; values of other rows are undefined
 * @param bound for decimals, an upper bound of the unscaled absolute value of rows that are not
 *     null; else null
 */
record Lowered(DataType type, Form form, Operand value, TileValue validity, BigInteger bound) {
  /** What a register contains. */
  enum Form {
    /** A signed integer of 64 bits. */
    INTEGER(TileValue.Kind.LANE),
    /** A double. */
    DOUBLE(TileValue.Kind.LANE),
    /** A signed integer of 128 bits, or a string view. */
    WIDE(TileValue.Kind.PAIR),
    /** A boolean. */
    MASK(TileValue.Kind.MASK);

    private final TileValue.Kind kind;

    Form(TileValue.Kind kind) {
      this.kind = kind;
    }

    TileValue.Kind kind() {
      return kind;
    }
  }

  static Lowered of(DataType type, Form form, Operand value, TileValue validity) {
    return new Lowered(type, form, value, validity, null);
  }

  static Lowered mask(DataType type, TileValue value, TileValue validity) {
    return new Lowered(type, Form.MASK, Operand.of(value), validity, null);
  }

  Lowered withValidity(TileValue newValidity) {
    return new Lowered(type, form, value, newValidity, bound);
  }

  Lowered withType(DataType newType) {
    return new Lowered(newType, form, value, validity, bound);
  }

  Lowered withValue(Operand newValue) {
    return new Lowered(type, form, newValue, validity, bound);
  }

  TileValue maskValue() {
    return value.register();
  }

  int scale() {
    return ((DecimalType) type).scale();
  }
}
