package io.ariadne.kernel.tile;

import io.ariadne.columnar.type.PhysicalType;

/**
 * A column that a program reads.
 *
 * @param column number of the column, given by the compiler of the program
 * @param kind layout in which the data is read; views are read as {@link PhysicalType#I128}, their
 *     heaps as {@link PhysicalType#VIEW16}, codes as {@link PhysicalType#I32}; null when only
 *     validity is read
 * @param isEntries whether the program reads the entries of the column's dictionary instead of the
 *     column
 * @param function the function of the entries to read; null for the entries themselves
 */
public record TileInput(int column, PhysicalType kind, boolean isEntries, EntryFunction function) {
  /** Checks that only entries have functions. */
  public TileInput {
    if (function != null && !isEntries) {
      throw new IllegalArgumentException("a function of entries of a column as it is");
    }
  }

  /** Reads the column itself. */
  public TileInput(int column, PhysicalType kind) {
    this(column, kind, false, null);
  }

  /** Reads the column itself or its entries. */
  public TileInput(int column, PhysicalType kind, boolean isEntries) {
    this(column, kind, isEntries, null);
  }
}
