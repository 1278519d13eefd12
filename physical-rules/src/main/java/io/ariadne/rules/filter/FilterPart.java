package io.ariadne.rules.filter;

import java.util.List;

/**
 * What a map task adds to a filter.
 *
 * @param filter number of the filter
 * @param map number of the map task in its stage
 * @param maps how many map tasks there are
 * @param hashes hashes of the keys of all its rows, some of them repeatedly; null when these are
 *     too many for a filter
 */
public record FilterPart(long filter, int map, int maps, List<int[]> hashes) {
  /** Returns how many hashes there are. */
  long count() {
    return hashes.stream().mapToLong(some -> some.length).sum();
  }
}
