package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.StructType;

/**
 * The value of a struct's member; null where the struct is null. It needs no kernel, because the
 * member's column is part of the struct's column.
 *
 * @param struct a value of a {@link StructType}: a column, a member, or null in every row
 * @param ordinal position of the member
 * @param nullable whether the member or the struct may be null
 */
public record Member(Expression struct, int ordinal, boolean nullable) implements Expression {
  /** Checks that there is such a member. */
  public Member {
    if (!(struct.type() instanceof StructType type) || ordinal >= type.fields().size()) {
      throw new IllegalArgumentException("no member " + ordinal + " of " + struct.type());
    }
  }

  @Override
  public DataType type() {
    return ((StructType) struct.type()).fields().get(ordinal).type();
  }
}
