package io.ariadne.kernel.tile;

import io.ariadne.columnar.type.PhysicalType;

/**
 * A column that a program writes.
 *
 * @param column number of the column, given by the compiler of the program
 * @param kind layout of the data
 * @param hasValidity whether a validity bitmap is written; without it no row is null
 */
public record TileOutput(int column, PhysicalType kind, boolean hasValidity) {}
