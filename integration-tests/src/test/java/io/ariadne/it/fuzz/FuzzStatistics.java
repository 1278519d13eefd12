package io.ariadne.it.fuzz;

import io.ariadne.rules.ExecutedPlan;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts of what a run compared, so that it cannot pass by comparing nothing. Thread-safe. */
final class FuzzStatistics {
  private static final int MOST_REFUSALS = 40;

  private final Map<Verdict.Status, Integer> byStatus = new EnumMap<>(Verdict.Status.class);
  private final Map<String, Integer> nodes = new TreeMap<>();
  private final Map<String, Integer> kernels = new TreeMap<>();
  private final Map<String, Integer> bridged = new TreeMap<>();
  private final Map<String, Integer> reasons = new TreeMap<>();
  private final Map<String, Integer> invalid = new TreeMap<>();
  private int queries;
  private int withNodes;
  private int withRows;

  synchronized void add(Verdict verdict) {
    queries++;
    byStatus.merge(verdict.status(), 1, Integer::sum);
    if (verdict.status() == Verdict.Status.KNOWN || verdict.status() == Verdict.Status.OPEN) {
      reasons.merge(verdict.detail(), 1, Integer::sum);
    }
    if (verdict.status() == Verdict.Status.INVALID) {
      invalid.merge(verdict.detail().replaceAll("\\s+", " "), 1, Integer::sum);
    }
    if (verdict.ariadne() == null || verdict.ariadne().plan() == null) {
      return;
    }
    boolean hasRows = verdict.ariadne().rows() != null && !verdict.ariadne().rows().isEmpty();
    withRows += hasRows ? 1 : 0;
    boolean isOurs = false;
    for (ExecutedPlan.Node node : ExecutedPlan.of(verdict.ariadne().plan()).nodes()) {
      if (hasRows && node.metrics().isEmpty()) { // unions and other nodes without metrics
        nodes.merge(node.name(), 1, Integer::sum);
      } else if (node.hasRun()) {
        isOurs = true;
        nodes.merge(node.name(), 1, Integer::sum);
        node.kernelExpressions().forEach(name -> kernels.merge(name, 1, Integer::sum));
        node.bridgedExpressions().forEach(name -> bridged.merge(name, 1, Integer::sum));
      }
    }
    withNodes += isOurs ? 1 : 0;
  }

  synchronized int queries() {
    return queries;
  }

  synchronized int count(Verdict.Status status) {
    return byStatus.getOrDefault(status, 0);
  }

  /**
   * Returns the number of plans in which each node returned rows. A node without metrics, such as a
   * union, counts in every plan that returned rows.
   */
  synchronized Map<String, Integer> nodes() {
    return Map.copyOf(nodes);
  }

  /** Returns the share of queries, of a hundred, in which a node of Ariadne's has given rows. */
  synchronized int percentOnAriadne() {
    return queries == 0 ? 0 : 100 * withNodes / queries;
  }

  synchronized int percentValid() {
    return queries == 0 ? 0 : 100 - 100 * count(Verdict.Status.INVALID) / queries;
  }

  /** Describes all counts but those of expressions. */
  synchronized String summary() {
    return "%d queries %s, with rows %d, with nodes of Ariadne's %d; known %s%nnodes %s"
        .formatted(queries, byStatus, withRows, withNodes, reasons, nodes);
  }

  /** Describes how often kernels and Spark's code have computed each expression. */
  synchronized String expressions() {
    return "kernels " + join(kernels) + "\nbridged " + join(bridged);
  }

  /** Describes why the analyzer refused queries. */
  synchronized String refusals() {
    return invalid.entrySet().stream()
        .map(entry -> entry.getValue() + " " + entry.getKey())
        .limit(MOST_REFUSALS)
        .collect(Collectors.joining("\n"));
  }

  private static String join(Map<String, Integer> counts) {
    return counts.size()
        + ": "
        + counts.entrySet().stream()
            .map(entry -> entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining(", "));
  }
}
