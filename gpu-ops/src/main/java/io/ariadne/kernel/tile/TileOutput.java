package io.ariadne.kernel.tile;

import io.ariadne.columnar.type.PhysicalType;

/**
 * A column a program writes.
 *
 * @param column number of the column, given by whoever compiled the program
 * @param kind layout of the data
 * @param hasValidity whether a validity bitmap is written; without one no row is null
 */
public record TileOutput(int column, PhysicalType kind, boolean hasValidity) {}
