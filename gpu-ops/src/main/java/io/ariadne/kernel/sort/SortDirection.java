package io.ariadne.kernel.sort;

import java.io.Serializable;

/**
 * The direction of a sort key.
 *
 * @param isDescending whether larger values come first; does not affect nulls
 * @param areNullsLast whether nulls come after all values
 */
public record SortDirection(boolean isDescending, boolean areNullsLast) implements Serializable {
  /** Smaller values first, nulls before them: SQL's default. */
  public static final SortDirection ASCENDING = new SortDirection(false, false);
}
