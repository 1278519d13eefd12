package io.ariadne.operator.aggregate;

import io.ariadne.columnar.type.DataType;
import io.ariadne.expression.Expression;

/**
 * What an aggregate collects: all values of each group that are not null, in their order.
 *
 * @param value a column: the values, or lists of them in the bytes of {@link ListBytes}
 * @param condition a column of type BOOLEAN: rows that count, or null for all; rows for which it is
 *     null do not
 * @param element the type of the values
 * @param merges whether the column has lists
 */
record Collection(Expression value, Expression condition, DataType element, boolean merges) {}
