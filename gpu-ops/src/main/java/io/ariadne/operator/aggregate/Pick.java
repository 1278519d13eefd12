package io.ariadne.operator.aggregate;

import io.ariadne.expression.Expression;
import io.ariadne.kernel.hash.GroupPickKernel;
import io.ariadne.kernel.hash.PickRule;

/**
 * One of the values of each group.
 *
 * @param rule which one
 * @param value a column
 * @param condition a column of type BOOLEAN: rows that count, or null for all; rows for which it is
 *     null do not
 * @param skipsNulls whether rows whose value is null do not count
 */
record Pick(PickRule rule, Expression value, Expression condition, boolean skipsNulls) {
  /** Returns the pick at a place of a record. */
  GroupPickKernel.Place at(int offset) {
    return new GroupPickKernel.Place(rule, value.type().defaultPhysicalType(), skipsNulls, offset);
  }
}
