package io.ariadne.expression.compiler;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.expression.Literal;
import io.ariadne.kernel.tile.TileProgram;
import java.util.List;

/**
 * Expressions compiled for one batch signature. Immutable.
 *
 * <p>Programs run in order over numbered columns: the batch's first, then one per output, then the
 * numbers of all rows and of those that passed, then temporary ones. When rows are filtered,
 * outputs have the rows that passed, temporary columns all of the batch's.
 *
 * @param programs what to launch
 * @param outputs where each expression's values are
 * @param isFiltered whether rows may be dropped
 * @param rowNumbers number of a 32-bit column with the numbers of all rows, which the caller makes,
 *     or {@link #NO_COLUMN}
 */
public record CompiledProjection(
    List<TileProgram> programs, List<Output> outputs, boolean isFiltered, int rowNumbers) {
  /** The number of no column. */
  public static final int NO_COLUMN = -1;

  /** Copies the lists. */
  public CompiledProjection {
    programs = List.copyOf(programs);
    outputs = List.copyOf(outputs);
  }

  /** Where the values of one expression are. */
  public sealed interface Output permits PassedThrough, Selected, Constant, Computed {}

  /**
   * An input column as it is.
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
