package io.ariadne.kernel.tile;

import io.ariadne.columnar.type.PhysicalType;

/**
 * A column a program reads.
 *
 * @param column number of the column, given by whoever compiled the program
 * @param kind layout as which the data is read; views are read as {@link PhysicalType#I128}, codes
 *     as {@link PhysicalType#I32}; null when only validity is read
 * @param isEntries whether the entries of the column's dictionary are read, not the column itself
 */
public record TileInput(int column, PhysicalType kind, boolean isEntries) {
  /** Reads the column itself. */
  public TileInput(int column, PhysicalType kind) {
    this(column, kind, false);
  }
}
