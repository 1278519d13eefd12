package io.ariadne.pipeline.plan;

import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The pipelines of one fragment. The last one yields the fragment's output; every other one ends in
 * a sink that exactly one later pipeline reads or uses.
 *
 * @param pipelines in an order in which each comes after those that it reads
 * @param outputSchema columns of the fragment's output
 */
public record LocalPlan(List<PipelinePlan> pipelines, Schema outputSchema) {
  /** Copies the list and checks the pipelines. */
  public LocalPlan {
    pipelines = List.copyOf(pipelines);
    if (pipelines.isEmpty()) {
      throw new IllegalArgumentException("a plan needs a pipeline");
    }
    List<Integer> readers = consumers(pipelines);
    for (int i = 0; i < pipelines.size(); i++) {
      boolean last = i == pipelines.size() - 1;
      if (last != (pipelines.get(i).sink() == null) || last == readers.get(i) >= 0) {
        throw new IllegalArgumentException(
            "pipeline " + i + " ends in a sink that no pipeline reads, or lacks one");
      }
    }
  }

  /** Returns, by pipeline, the index of the pipeline that reads or uses its sink; -1 for none. */
  List<Integer> consumers() {
    return consumers(pipelines);
  }

  /** Returns the number of sinks between a pipeline's end and the fragment's output. */
  public int distance(int pipelineIndex) {
    int distance = 0;
    List<Integer> readers = consumers();
    for (int i = readers.get(pipelineIndex); i >= 0; i = readers.get(i)) {
      distance++;
    }
    return distance;
  }

  /** Returns the ids of all plan nodes. */
  public Set<Integer> nodeIds() {
    Set<Integer> ids = new LinkedHashSet<>();
    for (PipelinePlan pipeline : pipelines) {
      if (pipeline.input() instanceof PipelineInput.TaskInput input) {
        ids.add(input.nodeId());
      } else if (pipeline.input() instanceof PipelineInput.Scan scan) {
        ids.add(scan.nodeId());
      }
      pipeline.transforms().forEach(transform -> ids.addAll(transform.nodeIds()));
      if (pipeline.sink() != null) {
        ids.add(pipeline.sink().nodeId());
      }
    }
    return ids;
  }

  private static List<Integer> consumers(List<PipelinePlan> pipelines) {
    List<Integer> readers = new ArrayList<>();
    for (int i = 0; i < pipelines.size(); i++) {
      readers.add(-1);
      for (int source : sources(pipelines.get(i))) {
        if (source < 0 || source >= i || readers.get(source) >= 0) {
          throw new IllegalArgumentException("pipeline " + i + " cannot read sink " + source);
        }
        readers.set(source, i);
      }
    }
    return readers;
  }

  private static List<Integer> sources(PipelinePlan pipeline) {
    List<Integer> sources = new ArrayList<>(pipeline.builds());
    if (pipeline.input() instanceof PipelineInput.SinkOutput output) {
      sources.add(output.pipelineIndex());
    }
    return sources;
  }
}
