package io.ariadne.kernel.sort;

import java.io.Serializable;

/**
 * Which way a key is sorted.
 *
 * @param isDescending whether larger values come first; nulls are not values
 * @param areNullsLast whether nulls come behind all values
 */
public record SortDirection(boolean isDescending, boolean areNullsLast) implements Serializable {
  /** Smaller values first, nulls before them: what SQL leaves out. */
  public static final SortDirection ASCENDING = new SortDirection(false, false);
}
