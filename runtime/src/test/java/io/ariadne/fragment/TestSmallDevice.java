package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.backend.simulated.SimulatedDevice;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.executor.SelectedBackend;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.plan.FilterNode;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ProjectNode;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Batches that a device has no memory for: their parts go there, or the host does the work. */
class TestSmallDevice {
  private static final int ROWS = 8192;
  private static final int BATCHES = 3;

  private static Expression call(Function function, PrimitiveType type, long constant) {
    return new Call(
        function,
        List.of(
            new ColumnReference(0, PrimitiveType.INT64, false),
            new Literal(constant, PrimitiveType.INT64)),
        type,
        false,
        EvaluationMode.LEGACY,
        ExpressionError.NO_ORIGIN);
  }

  private static void assertComputes(long deviceBytes) throws Exception {
    PlanNode input = new InputNode(0, 0, LongBatches.SCHEMA);
    PlanNode kept =
        new FilterNode(1, input, call(Function.LESS, PrimitiveType.BOOLEAN, 2L * ROWS + 100));
    PlanNode root =
        new ProjectNode(
            2, kept, List.of(call(Function.ADD, PrimitiveType.INT64, 5)), LongBatches.SCHEMA);
    SimulatedBackend device = SimulatedBackend.open(SimulatedDevice.of(deviceBytes));
    RuntimeConfig config = RuntimeConfig.of(2, 64 << 20);
    try (ExecutorRuntime runtime =
            ExecutorRuntime.start(config, new SelectedBackend(device, "test"));
        FragmentExecution execution =
            runtime.submit(
                root,
                List.of(new TestingSource(runtime.pool(), TestingRuntimes.batches(BATCHES, ROWS))),
                TaskEnvironment.NONE)) {
      long[] values =
          HangingTestWatchdog.watch(
              runtime, Duration.ofSeconds(60), () -> TestingRuntimes.drain(execution));
      assertArrayEquals(LongStream.range(5, 2L * ROWS + 105).toArray(), values);
      assertEquals(2L * ROWS + 100, execution.metrics().get(2).rows());
    }
  }

  @Test
  void processesPartsThatFit() throws Exception {
    assertComputes(64 << 10);
  }

  @Test
  void replacesOperatorsByTheHostsWhenNothingFits() throws Exception {
    assertComputes(100);
  }
}
