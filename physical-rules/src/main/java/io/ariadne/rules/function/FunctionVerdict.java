package io.ariadne.rules.function;

import java.util.Objects;

/**
 * Tells how one registered function is computed.
 *
 * @param name the name in SQL
 * @param outcome where it is computed
 * @param note which expressions Spark makes of it, or why it stays with Spark
 */
public record FunctionVerdict(String name, Outcome outcome, String note) {
  /** Where a function is computed, the best first. */
  public enum Outcome {
    /** By kernels. */
    KERNEL("kernel"),
    /** By kernels, and in parts by Spark's code over columns. */
    KERNEL_AND_BRIDGE("kernel and bridge"),
    /** By Spark's code over columns, inside the pipeline. */
    BRIDGE("bridge"),
    /** Not at all: a constant of the query. */
    CONSTANT("constant"),
    /** By Spark, and its plan node with it. */
    SPARK("Spark");

    private final String text;

    Outcome(String text) {
      this.text = text;
    }

    /** Returns the name for people. */
    public String text() {
      return text;
    }
  }

  /** Checks for nulls. */
  public FunctionVerdict {
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(outcome, "outcome is null");
    Objects.requireNonNull(note, "note is null");
  }
}
