package io.ariadne.operator.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.backend.cuda.SourceAllocator;
import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.backend.simulated.SimulatedDevice;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateFunction;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.ExpressionError;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Repeatable;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Output for which there is no memory comes when the call is repeated, each group once. */
class TestRepeatedOutput {
  private static final int GROUPS = 40_000;
  private static final int FEW_GROUPS = 1_000;
  private static final Schema KEYS = Schema.of(new Field("key", PrimitiveType.STRING, false));
  private static final Schema KEYS_AND_VALUES =
      Schema.of(
          new Field("key", PrimitiveType.STRING, false),
          new Field("value", PrimitiveType.INT64, false));
  private static final Schema RESULTS =
      Schema.of(
          new Field("key", PrimitiveType.STRING, false),
          new Field("average", PrimitiveType.FLOAT64, true),
          new Field("sum", PrimitiveType.INT64, true));

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final Set<String> found = new HashSet<>();
  private int repeated;

  /** Whether there are aggregates, whose results a step computes from their buffers. */
  private boolean hasAggregates;

  @Test
  void repeatsOutputOfATable() {
    try (Backend backend = HostBackend.open();
        SinkOperator sink = finished(backend, GROUPS, GroupLimits.NONE)) {
      while (!sink.isFinished()) {
        collect(withLittleMemory(sink, sink::getOutput));
      }
    }
    assertEquals(GROUPS, found.size());
    assertTrue(repeated > 2, repeated + " calls were repeated");
  }

  @Test
  void repeatsResultsOfATable() {
    hasAggregates = true;
    repeatsOutputOfATable();
  }

  @Test
  void repeatsResultsOfMergedRuns() {
    hasAggregates = true;
    repeatsOutputOfMergedRuns();
  }

  /** The keys and their characters are copied to the host. */
  @Test
  void repeatsTheEndOfATableOnADevice() {
    try (Backend backend = SimulatedBackend.open(SimulatedDevice.of(1 << 30));
        SinkOperator sink = filled(backend, FEW_GROUPS, null)) {
      finish(sink);
      assertTrue(repeated > 1, repeated + " calls were repeated");
      while (!sink.isFinished()) {
        collect(withLittleMemory(sink, sink::getOutput));
      }
    }
    assertEquals(FEW_GROUPS, found.size());
  }

  @Test
  void repeatsTheEndOfAnInputWithoutRows() {
    try (Backend backend = HostBackend.open();
        SinkOperator sink = newSink(backend, null)) {
      finish(sink);
      assertTrue(repeated > 0, "no call was repeated");
      assertTrue(sink.isFinished());
    }
  }

  private void finish(SinkOperator sink) {
    RecordBatch unused =
        withLittleMemory(
            sink,
            () -> {
              sink.finish();
              return null;
            });
  }

  /** A run that was merged in part ends the split; output after the merge is repeated. */
  @Test
  void repeatsOutputOfMergedRuns() {
    boolean mayFail = true;
    for (int buffers = 0; mayFail; buffers++) {
      found.clear();
      mayFail = drainWithMemoryFor(buffers);
    }
    assertTrue(repeated > 0, "no call was repeated");
  }

  /** Returns whether a call found no memory for a buffer; checks the groups if it was repeated. */
  private boolean drainWithMemoryFor(int buffers) {
    boolean failed = false;
    try (Backend backend = HostBackend.open();
        SinkOperator sink = finished(backend, FEW_GROUPS, new GroupLimits(100, Long.MAX_VALUE));
        SplitSource splits = sink.takeSplits()) {
      Split split;
      while ((split = splits.next()) != null) {
        try (Split driven = split) {
          boolean fails = !failed && failsAtFirst(driven, buffers);
          failed |= fails;
          if (fails && !driven.mayRepeat()) {
            return true;
          }
          for (RecordBatch batch = driven.next(); batch != null; batch = driven.next()) {
            collect(batch);
          }
        }
      }
    }
    assertEquals(FEW_GROUPS, found.size());
    return failed;
  }

  /** Makes the first call of a split, with memory for some buffers; returns whether it failed. */
  private boolean failsAtFirst(Split split, long buffers) {
    memory.allocator().failAfter(buffers);
    try {
      collect(split.next());
      return false;
    } catch (EngineException e) {
      assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
      repeated += split.mayRepeat() ? 1 : 0;
      return true;
    } finally {
      memory.allocator().failAfter(Long.MAX_VALUE);
    }
  }

  /** Makes a call that finds memory for few buffers, then for more, until it succeeds. */
  private RecordBatch withLittleMemory(Repeatable called, Supplier<RecordBatch> call) {
    for (int buffers = 0; ; buffers++) {
      memory.allocator().failAfter(buffers);
      try {
        return call.get();
      } catch (EngineException e) {
        assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
        assertTrue(called.mayRepeat(), "the call may not be repeated");
        repeated++;
      } finally {
        memory.allocator().failAfter(Long.MAX_VALUE);
      }
    }
  }

  private void collect(RecordBatch batch) {
    ColumnReader reader = new ColumnReader(batch.column(0));
    for (int row = 0; row < batch.rowCount(); row++) {
      assertTrue(found.add(reader.getString(row)), "a group comes twice");
      if (hasAggregates) {
        long value = valueOf(reader.getString(row));
        assertEquals(value, new ColumnReader(batch.column(1)).getDouble(row));
        assertEquals(value, new ColumnReader(batch.column(2)).getIntegral(row));
      }
    }
    batch.close();
  }

  private SinkOperator finished(Backend backend, int groups, GroupLimits limits) {
    SinkOperator sink = filled(backend, groups, limits);
    sink.finish();
    return sink;
  }

  private SinkOperator filled(Backend backend, int groups, GroupLimits limits) {
    SinkOperator sink = newSink(backend, limits);
    SinkState local = sink.newLocal();
    local.addInput(hasAggregates ? keysAndValues(groups) : keys(groups));
    while (!local.finish()) {
      // finishes step by step
    }
    sink.combine(local);
    return sink;
  }

  private SinkOperator newSink(Backend backend, GroupLimits limits) {
    BufferAllocator host = memory.allocator();
    BufferAllocator kernels =
        backend.tier() == MemoryTier.HOST
            ? host
            : SourceAllocator.of(backend, backend.tier(), host);
    return new HashAggregateOperatorFactory(
            true,
            hasAggregates ? KEYS_AND_VALUES : KEYS,
            null,
            List.of(new ColumnReference(0, PrimitiveType.STRING, false)),
            hasAggregates ? aggregates() : List.of(),
            hasAggregates ? RESULTS : KEYS,
            ExpressionError.NO_ORIGIN,
            limits)
        .create(new OperatorContext(host, kernels, backend, () -> false, ErrorReplay.PLAIN));
  }

  private RecordBatch keys(int groups) {
    try (BatchBuilder builder = new BatchBuilder(KEYS, memory.allocator())) {
      for (int i = 0; i < groups; i++) {
        ((ViewBuilder) builder.column(0)).append(keyOf(i));
      }
      return builder.build(0);
    }
  }

  private static String keyOf(int group) {
    return String.format("key of the group %05d", group);
  }

  /** Returns the value of each row of a group. */
  private static long valueOf(String key) {
    return Long.parseLong(key.substring(key.length() - 5));
  }

  private RecordBatch keysAndValues(int groups) {
    try (BatchBuilder builder = new BatchBuilder(KEYS_AND_VALUES, memory.allocator())) {
      for (int i = 0; i < groups; i++) {
        builder.appendRow(keyOf(i).getBytes(StandardCharsets.UTF_8), valueOf(keyOf(i)));
      }
      return builder.build(0);
    }
  }

  private static List<AggregateCall> aggregates() {
    Field sum = new Field("sum", PrimitiveType.FLOAT64, true);
    Field count = new Field("count", PrimitiveType.INT64, false);
    return List.of(
        new AggregateCall(
            AggregateFunction.AVERAGE,
            List.of(new ColumnReference(1, PrimitiveType.INT64, false)),
            null,
            List.of(sum, count),
            AggregateCall.UPDATES,
            PrimitiveType.FLOAT64,
            EvaluationMode.LEGACY),
        AggregateCall.of(
            AggregateFunction.SUM,
            List.of(new ColumnReference(1, PrimitiveType.INT64, false)),
            new Field("sum", PrimitiveType.INT64, true)));
  }
}
