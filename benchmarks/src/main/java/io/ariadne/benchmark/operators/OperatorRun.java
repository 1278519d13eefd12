package io.ariadne.benchmark.operators;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.fragment.FragmentExecution;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.metrics.NodeMetrics;
import io.ariadne.operator.SplitSourceFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Runs a case on a runtime and measures it. */
final class OperatorRun {
  private final ExecutorRuntime runtime;
  private final CountingBackend backend;
  private final Tables tables;

  OperatorRun(ExecutorRuntime runtime, CountingBackend backend, Tables tables) {
    this.runtime = runtime;
    this.backend = backend;
    this.tables = tables;
  }

  /** One run. */
  private record Pass(
      long nanos, long rowsIn, long bytesIn, long rowsOut, long bytesOut, BackendUsage usage) {}

  /**
   * Runs a case once to check its answer and to warm up, then {@code rounds} times to measure it.
   *
   * @param expected the digest of the right answer
   */
  Measured measure(OperatorCase operatorCase, int rounds, long expected) throws IOException {
    boolean isEqual = digest(operatorCase) == expected;
    List<Pass> passes = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      passes.add(pass(operatorCase));
    }
    passes.sort(Comparator.comparingLong(Pass::nanos));
    Pass median = passes.get(rounds / 2);
    return new Measured(
        operatorCase.name(),
        isEqual,
        median.nanos() / 1e9,
        median.rowsIn(),
        operatorCase.isScan() ? 0 : median.bytesIn(),
        median.rowsOut(),
        median.bytesOut(),
        median.usage());
  }

  private Pass pass(OperatorCase operatorCase) throws IOException {
    BackendUsage before = backend.usage();
    Set<Object> shared = Collections.newSetFromMap(new IdentityHashMap<>());
    long[] output = {0, 0};
    long begin = System.nanoTime();
    try (FragmentExecution execution = start(operatorCase)) {
      drain(
          execution,
          batch -> {
            output[0] += batch.rowCount();
            output[1] += batch.ownSizeInBytes();
            batch.visitShared((part, bytes) -> output[1] += shared.add(part) ? bytes : 0);
          });
      long nanos = System.nanoTime() - begin;
      long rowsIn = 0;
      long bytesIn = 0;
      for (int scan = 0; scan < operatorCase.inputs().size(); scan++) {
        NodeMetrics metrics = execution.metrics().get(scan);
        rowsIn += metrics.rows();
        bytesIn += metrics.bytes();
      }
      BackendUsage usage = backend.usage().minus(before);
      return new Pass(nanos, rowsIn, bytesIn, output[0], output[1], usage);
    }
  }

  /** Returns a digest: equal answers have equal digests, and different answers almost never do. */
  long digest(OperatorCase operatorCase) throws IOException {
    AnswerDigest digest = new AnswerDigest(operatorCase.isOrdered());
    try (FragmentExecution execution = start(operatorCase)) {
      drain(execution, digest::add);
    }
    return digest.value();
  }

  private FragmentExecution start(OperatorCase operatorCase) throws IOException {
    List<SplitSourceFactory> scans = new ArrayList<>();
    for (OperatorCase.Input input : operatorCase.inputs()) {
      scans.add(tables.scan(input.table(), input.columns()));
    }
    return runtime.submit(operatorCase.plan(), List.of(), scans, TaskEnvironment.NONE);
  }

  private static void drain(FragmentExecution execution, Consumer<RecordBatch> consumer) {
    for (RecordBatch batch = execution.next(); batch != null; batch = execution.next()) {
      try (RecordBatch open = batch) {
        consumer.accept(open);
      }
    }
  }
}
