package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;

/**
 * The value of an input column.
 *
 * @param index position in the input schema
 * @param type the column's type
 * @param nullable whether it may have nulls
 */
public record ColumnReference(int index, DataType type, boolean nullable) implements Expression {}
