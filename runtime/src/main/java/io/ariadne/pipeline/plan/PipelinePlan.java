package io.ariadne.pipeline.plan;

import io.ariadne.operator.OperatorFactory;
import io.ariadne.operator.SinkOperatorFactory;
import java.util.List;
import java.util.Objects;

/**
 * A chain without breakers: input, transforms, and a sink or the fragment's output.
 *
 * @param input where batches come from
 * @param builds earlier pipelines whose sinks must be complete before this one begins: its
 *     transforms use what they have built
 * @param transforms applied to each batch in order
 * @param sink the breaker at the end, or null when the fragment's output is
 * @param threads how many threads of work there may be at most, {@link #ANY} for as many as the
 *     executor has; 1 hands batches to the transforms strictly in their order
 * @param ordered whether output keeps the order of the input; ignored with a sink. Transforms that
 *     keep rows back from one batch to the next must run with one thread to be ordered.
 */
public record PipelinePlan(
    PipelineInput input,
    List<Integer> builds,
    List<Transform> transforms,
    Sink sink,
    int threads,
    boolean ordered) {
  /** As many threads of work as the executor has. */
  public static final int ANY = Integer.MAX_VALUE;

  /**
   * One transform.
   *
   * @param nodeIds plan nodes it computes, innermost first; output counts for each of them, time
   *     for the last
   * @param factory makes its operators
   */
  public record Transform(List<Integer> nodeIds, OperatorFactory factory) {
    /** Copies the list. */
    public Transform {
      nodeIds = List.copyOf(nodeIds);
      Objects.requireNonNull(factory, "factory is null");
    }
  }

  /**
   * The breaker.
   *
   * @param nodeId plan node it computes
   * @param factory makes it
   */
  public record Sink(int nodeId, SinkOperatorFactory factory) {
    /** Checks for null. */
    public Sink {
      Objects.requireNonNull(factory, "factory is null");
    }
  }

  /** Creates a pipeline that needs nothing built; arguments as in the full constructor. */
  public PipelinePlan(
      PipelineInput input, List<Transform> transforms, Sink sink, int threads, boolean ordered) {
    this(input, List.of(), transforms, sink, threads, ordered);
  }

  /** Copies the lists and checks. */
  public PipelinePlan {
    Objects.requireNonNull(input, "input is null");
    builds = List.copyOf(builds);
    transforms = List.copyOf(transforms);
    if (threads < 1) {
      throw new IllegalArgumentException("threads=" + threads);
    }
  }
}
