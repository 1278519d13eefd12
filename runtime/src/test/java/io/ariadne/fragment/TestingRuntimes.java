package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.executor.SelectedBackend;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.operator.SinkOperatorFactory;
import io.ariadne.pipeline.plan.LocalPlan;
import io.ariadne.pipeline.plan.PipelineInput;
import io.ariadne.pipeline.plan.PipelinePlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** Runtimes without kernels, and plans over one input of longs. */
public final class TestingRuntimes {
  private TestingRuntimes() {}

  /** Starts a runtime with 64 MiB. */
  public static ExecutorRuntime start(int threads) {
    return start(RuntimeConfig.of(threads, 64 << 20));
  }

  /** Starts a runtime. */
  public static ExecutorRuntime start(RuntimeConfig config) {
    return ExecutorRuntime.start(config, new SelectedBackend(new TestingBackend(), "test"));
  }

  /** Returns a plan of one pipeline. */
  public static LocalPlan pipeline(OperatorFactory... factories) {
    return new LocalPlan(List.of(first(null, factories)), LongBatches.SCHEMA);
  }

  /** Returns a plan that ends in the output of a sink with groups. */
  public static LocalPlan grouped(int groups, OperatorFactory... factories) {
    return grouped(context -> new TestingSink(context, groups), factories);
  }

  /** Returns a plan that ends in the output of a sink. */
  public static LocalPlan grouped(SinkOperatorFactory factory, OperatorFactory... factories) {
    PipelinePlan.Sink sink = new PipelinePlan.Sink(100, factory);
    PipelinePlan reader =
        new PipelinePlan(new PipelineInput.SinkOutput(0), List.of(), null, PipelinePlan.ANY, true);
    return new LocalPlan(List.of(first(sink, factories), reader), LongBatches.SCHEMA);
  }

  /** Returns batches of consecutive values from 0. */
  public static List<long[]> batches(int batchCount, int rowsPerBatch) {
    List<long[]> batches = new ArrayList<>();
    for (int i = 0; i < batchCount; i++) {
      long start = (long) i * rowsPerBatch;
      batches.add(LongStream.range(start, start + rowsPerBatch).toArray());
    }
    return batches;
  }

  /** Pumps to the end, checks the numbering, and returns all values. */
  public static long[] drain(FragmentExecution execution) {
    List<long[]> parts = new ArrayList<>();
    for (RecordBatch batch = execution.next(); batch != null; batch = execution.next()) {
      assertEquals(parts.size(), batch.sequence());
      parts.add(LongBatches.drain(batch));
    }
    return parts.stream().flatMapToLong(Arrays::stream).toArray();
  }

  private static PipelinePlan first(PipelinePlan.Sink sink, OperatorFactory... factories) {
    List<PipelinePlan.Transform> transforms = new ArrayList<>();
    for (OperatorFactory factory : factories) {
      transforms.add(new PipelinePlan.Transform(List.of(1 + transforms.size()), factory));
    }
    PipelineInput input = new PipelineInput.TaskInput(0, 0, LongBatches.SCHEMA);
    return new PipelinePlan(input, transforms, sink, PipelinePlan.ANY, true);
  }
}
