package io.ariadne.operator.aggregate;

import io.ariadne.expression.Expression;
import io.ariadne.kernel.hash.GroupPickKernel;
import io.ariadne.kernel.hash.PickRule;

/**
 * An aggregate that returns one of the values of each group: the first, last, least or greatest.
 *
 * @param rule which one
 * @param value a column
 * @param condition a column of type BOOLEAN: rows that count, or null for all; a row for which it
 *     is null does not count
 * @param skipsNulls whether a row with a null value does not count
 */
record Pick(PickRule rule, Expression value, Expression condition, boolean skipsNulls) {
  /** Returns this pick at an offset of a record. */
  GroupPickKernel.Place at(int offset) {
    return new GroupPickKernel.Place(rule, value.type().defaultPhysicalType(), skipsNulls, offset);
  }
}
