package io.ariadne.operator.sort;

import io.ariadne.kernel.sort.SortDirection;
import java.io.Serializable;
import java.util.Objects;

/**
 * A column by which rows are sorted.
 *
 * @param column its number in the input
 * @param direction direction of the order
 */
public record SortColumn(int column, SortDirection direction) implements Serializable {
  /** Checks for null. */
  public SortColumn {
    Objects.requireNonNull(direction, "direction is null");
  }
}
