package io.ariadne.pipeline.plan;

import io.ariadne.operator.ColumnUse;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.operator.SinkOperatorFactory;
import java.util.List;
import java.util.Objects;

/**
 * A chain of operators without breakers: input, transforms, and a sink or the fragment's output.
 *
 * @param input source of the batches
 * @param builds indexes of earlier pipelines whose sinks must finish before this one begins,
 *     because its transforms use their results
 * @param transforms applied to each batch in order
 * @param sink the breaker at the end, or null for the fragment's output
 * @param threads maximum number of drivers; {@link #ANY} for as many as the executor has threads.
 *     With 1, the driver gets all batches in order
 * @param ordered whether output keeps the order of the input; ignored with a sink. An ordered
 *     pipeline whose transforms buffer rows across batches must have one driver
 */
public record PipelinePlan(
    PipelineInput input,
    List<Integer> builds,
    List<Transform> transforms,
    Sink sink,
    int threads,
    boolean ordered) {
  /** As many drivers as the executor has threads. */
  public static final int ANY = Integer.MAX_VALUE;

  /**
   * One operator of the pipeline.
   *
   * @param nodeIds plan nodes that it computes, innermost first; output counts for each of them,
   *     time for the last one
   * @param factory creates the operator
   */
  public record Transform(List<Integer> nodeIds, OperatorFactory factory) {
    /** Copies the list. */
    public Transform {
      nodeIds = List.copyOf(nodeIds);
      Objects.requireNonNull(factory, "factory is null");
    }
  }

  /**
   * The breaker at the end of the pipeline.
   *
   * @param nodeId plan node that it computes
   * @param factory creates the sink
   */
  public record Sink(int nodeId, SinkOperatorFactory factory) {
    /** Checks for null. */
    public Sink {
      Objects.requireNonNull(factory, "factory is null");
    }
  }

  /**
   * Creates a pipeline that uses no results of other pipelines; arguments as in the full
   * constructor.
   */
  public PipelinePlan(
      PipelineInput input, List<Transform> transforms, Sink sink, int threads, boolean ordered) {
    this(input, List.of(), transforms, sink, threads, ordered);
  }

  /** Returns where the first operator that is particular about it reads the pipeline's input. */
  public ColumnUse columnUse() {
    for (Transform transform : transforms) {
      if (transform.factory().columnUse() != ColumnUse.ANYWHERE) {
        return transform.factory().columnUse();
      }
    }
    return sink == null ? ColumnUse.ANYWHERE : sink.factory().columnUse();
  }

  /** Copies the lists and checks the arguments. */
  public PipelinePlan {
    Objects.requireNonNull(input, "input is null");
    builds = List.copyOf(builds);
    transforms = List.copyOf(transforms);
    if (threads < 1) {
      throw new IllegalArgumentException("threads=" + threads);
    }
  }
}
