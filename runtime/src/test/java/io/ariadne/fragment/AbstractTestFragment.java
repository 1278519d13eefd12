package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.pipeline.plan.LocalPlan;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A runtime with small operators; each test ends with no byte left. */
@Timeout(120)
public abstract class AbstractTestFragment {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  protected ExecutorRuntime runtime = TestingRuntimes.start(2);

  @AfterEach
  void stop() {
    runtime.close();
    assertEquals(0, runtime.pool().allocatedBytes());
  }

  protected void restart(RuntimeConfig config) {
    runtime.close();
    runtime = TestingRuntimes.start(config);
  }

  protected TestingSource source(int batchCount, int rowsPerBatch) {
    return new TestingSource(runtime.pool(), TestingRuntimes.batches(batchCount, rowsPerBatch));
  }

  protected FragmentExecution execute(LocalPlan plan, TestingSource source) {
    return runtime.execute(plan, List.of(source), TaskEnvironment.NONE);
  }

  protected <T> T watch(Callable<T> body) throws Exception {
    return HangingTestWatchdog.watch(runtime, LIMIT, body);
  }

  protected void drainWatched(FragmentExecution execution) throws Exception {
    watch(() -> TestingRuntimes.drain(execution));
  }
}
