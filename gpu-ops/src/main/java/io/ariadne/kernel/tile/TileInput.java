package io.ariadne.kernel.tile;

import io.ariadne.columnar.type.PhysicalType;

/**
 * A column a program reads.
 *
 * @param column number of the column, given by whoever compiled the program
 * @param kind layout as which the data is read; views are read as {@link PhysicalType#I128}
 */
public record TileInput(int column, PhysicalType kind) {}
