package io.ariadne.it.sql;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/**
 * What must run on Ariadne for a comparison with Spark to count.
 *
 * @param nodes names of nodes, which must have given batches
 * @param kernels Spark class names of expressions that kernels must have computed, everywhere they
 *     occur
 * @param bridged Spark class names of expressions that must have gone through the bridge; any other
 *     bridged expression is an error too
 * @param aggregates SQL names of aggregate functions, which kernels must have computed
 */
public record Coverage(
    Set<String> nodes, Set<String> kernels, Set<String> bridged, Set<String> aggregates) {
  public static final String FILTER = "AriadneFilter";
  public static final String PROJECT = "AriadneProject";
  public static final String AGGREGATE = "AriadneHashAggregate";

  public Coverage {
    nodes = Set.copyOf(nodes);
    kernels = Set.copyOf(kernels);
    bridged = Set.copyOf(bridged);
    aggregates = Set.copyOf(aggregates);
  }

  /** Claims that nodes ran and that kernels computed every expression in them. */
  public static Coverage of(String... nodes) {
    return new Coverage(Set.of(nodes), Set.of(), Set.of(), Set.of());
  }

  /** Claims that kernels computed these expressions too. */
  public Coverage kernels(String... names) {
    return new Coverage(nodes, with(kernels, Set.of(names)), bridged, aggregates);
  }

  /** Claims that these expressions went through the bridge too. */
  public Coverage bridged(String... names) {
    return new Coverage(nodes, kernels, with(bridged, Set.of(names)), aggregates);
  }

  /** Claims that kernels computed these aggregates too. */
  public Coverage aggregates(String... names) {
    return new Coverage(nodes, kernels, bridged, with(aggregates, Set.of(names)));
  }

  /** The same claim of a query in which some expressions are bridged instead of computed. */
  public Coverage bridgedInstead(String... names) {
    Set<String> moved = Set.of(names);
    Set<String> left = new TreeSet<>(kernels);
    left.removeAll(moved);
    return new Coverage(nodes, left, with(bridged, moved), aggregates);
  }

  private static Set<String> with(Collection<String> some, Collection<String> more) {
    Set<String> all = new TreeSet<>(some);
    all.addAll(more);
    return all;
  }
}
