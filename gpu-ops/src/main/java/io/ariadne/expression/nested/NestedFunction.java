package io.ariadne.expression.nested;

import io.ariadne.columnar.ColumnFunction;

/**
 * A function that only moves or rewrites values and never raises, so it may be called for any rows.
 */
public sealed interface NestedFunction extends ColumnFunction
    permits ArrayItem, ArraySize, ListParts, MapValue, OrderBytes, StructOf {}
