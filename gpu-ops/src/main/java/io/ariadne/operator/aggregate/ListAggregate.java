package io.ariadne.operator.aggregate;

import io.ariadne.columnar.type.DataType;
import io.ariadne.expression.Expression;

/**
 * The input of collect_list: all values of a group that are not null, in the order of their rows.
 *
 * @param value a column: the values, or lists of them encoded as {@link ListBytes}
 * @param condition a column of type BOOLEAN: rows to collect, or null for all; a row for which it
 *     is null is not collected
 * @param element the type of the values
 * @param merges whether the column has lists
 */
record ListAggregate(Expression value, Expression condition, DataType element, boolean merges) {}
