package io.ariadne.bridge.node;

import java.util.Objects;

/**
 * Declares one metric of a plan node, as shown in Spark's SQL tab.
 *
 * @param name the key in {@code SparkPlan.metrics()}
 * @param description the text people see
 * @param kind how values are added up and printed
 */
public record NodeMetric(String name, String description, Kind kind) {
  /** How a metric's values are added up and printed. */
  public enum Kind {
    /** A plain sum. */
    SUM,
    /** Bytes: total, minimum, median and maximum over tasks. */
    SIZE,
    /** Milliseconds: total, minimum, median and maximum over tasks. */
    MILLISECONDS,
    /** Nanoseconds, printed as milliseconds: total, minimum, median and maximum over tasks. */
    NANOSECONDS
  }

  /** Rows a node puts out; the key Spark's own nodes use, which AQE statistics and tests read. */
  public static final NodeMetric OUTPUT_ROWS =
      new NodeMetric("numOutputRows", "number of output rows", Kind.SUM);

  /** Batches a node puts out; the key Spark's own columnar nodes use. */
  public static final NodeMetric OUTPUT_BATCHES =
      new NodeMetric("numOutputBatches", "number of output batches", Kind.SUM);

  /** Checks for nulls. */
  public NodeMetric {
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(description, "description is null");
    Objects.requireNonNull(kind, "kind is null");
  }
}
