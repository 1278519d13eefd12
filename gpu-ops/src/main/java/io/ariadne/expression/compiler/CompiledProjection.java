package io.ariadne.expression.compiler;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.expression.Literal;
import io.ariadne.kernel.tile.TileProgram;
import java.util.List;

/**
 * Expressions compiled for one batch signature. Immutable.
 *
 * <p>Programs run in order over numbered columns: the batch's columns, one column per output, the
 * row numbers of all rows, those of the rows that passed, then temporary columns. With a filter,
 * outputs have the rows that passed, and temporary columns have all rows of the batch.
 *
 * @param programs the programs to launch
 * @param outputs where each expression's values are
 * @param isFiltered whether rows may be dropped
 * @param rowNumbers number of a 32-bit column with the numbers of all rows, which the caller makes,
 *     or {@link #NO_COLUMN}
 */
public record CompiledProjection(
    List<TileProgram> programs, List<Output> outputs, boolean isFiltered, int rowNumbers) {
  /** The number of a missing column. */
  public static final int NO_COLUMN = -1;

  /** Copies the lists. */
  public CompiledProjection {
    programs = List.copyOf(programs);
    outputs = List.copyOf(outputs);
  }

  /** Where the values of one expression are. */
  public sealed interface Output permits PassedThrough, Selected, Constant, Computed {}

  /**
   * An unchanged input column.
   *
   * @param column number of the column
   */
  public record PassedThrough(int column) implements Output {}

  /**
   * The rows of a nested input column that passed the filter.
   *
   * @param column number of the column
   * @param rows number of the column with the numbers of these rows
   */
  public record Selected(int column, int rows) implements Output {}

  /**
   * A string or binary value, the same in every row.
   *
   * @param literal the value, or null
   */
  public record Constant(Literal literal) implements Output {}

  /**
   * A column that programs write.
   *
   * @param column its number
   * @param type its logical type
   * @param kind its layout
   * @param source column whose heaps its views point into, or whose dictionary its codes are of;
   *     else {@link #NO_SOURCE}
   */
  public record Computed(int column, DataType type, PhysicalType kind, int source)
      implements Output {
    /** Neither views nor codes. */
    public static final int NO_SOURCE = -1;
  }
}
