package io.ariadne.operator.aggregate.bridged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.kernel.testing.AbstractTestOnBackend;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.spill.EagerSpillSpace;
import io.ariadne.spill.SpillSpace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares bridged aggregation on a back end with plain Java: the groups are equal, and their rows
 * are aggregated in order, with and without runs.
 */
abstract class AbstractTestBridgedAggregate extends AbstractTestOnBackend {
  @TempDir private Path folder;

  private static final Field CHAIN = Chain.OUTPUT;
  private static final Schema INPUT =
      Schema.of(
          new Field("a", PrimitiveType.STRING, true),
          new Field("b", PrimitiveType.INT32, true),
          new Field("c", PrimitiveType.INT64, true));

  /** How many allocations succeed while a batch is given for the first time. */
  private long allocationsPerBatch = Long.MAX_VALUE;

  @Test
  void keepsTheOrderOfFirstRows() {
    for (int keyCount = 0; keyCount <= 2; keyCount++) {
      for (int batchCount : new int[] {0, 1, 3}) {
        Chain function = new Chain(keyCount);
        List<RecordBatch> input = input(batchCount, 500);
        List<List<Object>> expected = expected(keyCount, input);
        assertEquals(expected, aggregate(function, input, Long.MAX_VALUE, false));
        assertEquals(0, function.takenGroups.get());
      }
    }
  }

  /** Groups move to runs and are merged in the order of their rows, at several levels. */
  @ParameterizedTest
  @ValueSource(longs = {100, 5000, 20_000, 1_000_000})
  void mergesRunsInTheOrderOfRows(long maxHeapBytes) {
    for (int keyCount = 1; keyCount <= 2; keyCount++) {
      for (boolean bySplits : new boolean[] {false, true}) {
        Chain function = new Chain(keyCount);
        List<RecordBatch> input = input(6, maxHeapBytes == 100 ? 60 : 500);
        List<List<Object>> expected = expected(keyCount, input);
        List<List<Object>> actual = aggregate(function, input, maxHeapBytes, bySplits);
        assertEquals(counted(expected), counted(actual));
        if (maxHeapBytes <= 20_000) {
          assertTrue(function.takenGroups.get() > 0, "no group moved to a run");
        }
        if (maxHeapBytes == 100) {
          assertTrue(function.takenGroups.get() > 2L * expected.size(), "nothing divided again");
        }
      }
    }
  }

  /** Groups that are released between two batches are merged in the order of their rows. */
  @Test
  void releasesGroupsOnRequest() {
    for (int keyCount = 0; keyCount <= 2; keyCount++) {
      Chain function = new Chain(keyCount);
      function.claimMemory(1 << 20);
      List<RecordBatch> input = input(5, 500);
      List<List<Object>> expected = expected(keyCount, input);
      List<List<Object>> actual;
      try (EagerSpillSpace disk = new EagerSpillSpace(folder)) {
        MemoryTier tier = kernelAllocator(backend, allocator).tier();
        SpillSpace kernels = tier == MemoryTier.HOST ? disk : SpillSpace.unmoved(tier);
        actual = aggregate(function, input, Long.MAX_VALUE, false, disk, kernels);
      }
      assertEquals(counted(expected), counted(actual));
      assertEquals(keyCount > 0, function.takenGroups.get() > 0);
    }
  }

  /** No row of a batch or a group is lost, whichever allocation is refused. */
  @Test
  void returnsTheBatchThatIsRefusedMemory() {
    for (int allocations = 0; allocations < 60; allocations += 1 + allocations / 8) {
      allocationsPerBatch = allocations;
      List<RecordBatch> input = input(3, 60);
      List<List<Object>> expected = expected(1, input);
      List<List<Object>> actual = aggregate(new Chain(1), input, 100, false);
      assertEquals(counted(expected), counted(actual));
    }
  }

  /** Everything is freed when the function throws an undeclared checked exception. */
  @Test
  void failuresFreeEverything() {
    for (Chain.Step step : Chain.Step.values()) {
      for (boolean bySplits : new boolean[] {false, true}) {
        for (int calls : new int[] {0, 1, 4}) {
          Chain function = new Chain(1);
          function.failAt(step, calls);
          List<RecordBatch> input = input(6, 60);
          Exception e =
              assertThrows(IOException.class, () -> aggregate(function, input, 100, bySplits));
          assertEquals("at " + step, e.getMessage());
          memory.assertNothingOpen();
        }
      }
    }
  }

  @Test
  void cancellationFreesEverything() {
    List<RecordBatch> input = input(6, 60);
    Chain function = new Chain(1);
    function.cancelled.set(true);
    assertThrows(CancellationException.class, () -> aggregate(function, input, 100, true));
  }

  /** Gives a batch, which is given again when it is handed back for lack of memory. */
  private void feed(SinkState local, RecordBatch batch) {
    RecordBatch refused = null;
    memory.failAfter(allocationsPerBatch);
    try {
      local.addInput(batch);
    } catch (EngineException e) {
      refused = local.takeUnprocessed();
      if (refused == null) {
        throw e;
      }
    } finally {
      memory.failAfter(Long.MAX_VALUE);
    }
    if (refused != null) {
      local.addInput(refused);
    }
  }

  private List<RecordBatch> input(int batchCount, int rowCount) {
    List<RecordBatch> input = new ArrayList<>();
    NullPattern[] patterns = NullPattern.values();
    for (int i = 0; i < batchCount; i++) {
      NullPattern pattern = patterns[i % patterns.length];
      input.add(batches.batch(INPUT, rowCount, pattern, ColumnEncoding.MIXED, allocator));
    }
    return input;
  }

  private static List<List<Object>> expected(int keyCount, List<RecordBatch> input) {
    Map<List<Object>, Long> expected = new LinkedHashMap<>();
    if (keyCount == 0) {
      expected.put(List.of(), null);
    }
    for (RecordBatch batch : input) {
      for (List<Object> row : BatchAssertions.rows(batch)) {
        List<Object> key = new ArrayList<>(row.subList(0, keyCount));
        expected.put(key, chained(expected.get(key), row.get(2)));
      }
    }
    List<List<Object>> rows = new ArrayList<>();
    expected.forEach(
        (key, value) -> {
          List<Object> row = new ArrayList<>(key);
          row.add(value);
          rows.add(row);
        });
    return rows;
  }

  private static Map<List<Object>, Long> counted(List<List<Object>> rows) {
    return rows.stream().collect(Collectors.groupingBy(row -> row, Collectors.counting()));
  }

  private static Long chained(Long before, Object value) {
    return (before == null ? 1 : before) * 31 + (value == null ? 7 : (Long) value);
  }

  private List<List<Object>> aggregate(
      Chain function, List<RecordBatch> input, long maxHeapBytes, boolean bySplits) {
    MemoryTier tier = kernelAllocator(backend, allocator).tier();
    if (random.nextBoolean()) {
      SpillSpace kept = SpillSpace.unmoved(MemoryTier.HOST);
      return aggregate(function, input, maxHeapBytes, bySplits, kept, SpillSpace.unmoved(tier));
    }
    try (EagerSpillSpace disk = new EagerSpillSpace(folder)) {
      SpillSpace kernels = tier == MemoryTier.HOST ? disk : SpillSpace.unmoved(tier);
      return aggregate(function, input, maxHeapBytes, bySplits, disk, kernels);
    }
  }

  private List<List<Object>> aggregate(
      Chain function,
      List<RecordBatch> input,
      long maxHeapBytes,
      boolean bySplits,
      SpillSpace spill,
      SpillSpace kernelSpill) {
    OperatorContext context =
        new OperatorContext(
            allocator,
            kernelAllocator(backend, allocator),
            backend,
            function.cancelled::get,
            ErrorReplay.PLAIN,
            spill,
            kernelSpill,
            2);
    List<Field> fields = new ArrayList<>(INPUT.fields().subList(0, function.keyCount));
    fields.add(CHAIN);
    List<List<Object>> result = new ArrayList<>();
    List<RecordBatch> pending = new ArrayList<>(input);
    SinkState local = null;
    try (SinkOperator sink =
        new BridgedAggregateOperatorFactory(
                INPUT, function.keyCount, function, new Schema(fields), maxHeapBytes)
            .create(context)) {
      local = sink.newLocal();
      while (!pending.isEmpty()) {
        feed(local, pending.remove(0));
      }
      SinkState combined = local;
      local = null;
      sink.combine(combined);
      sink.finish();
      SplitSource splits = bySplits ? sink.takeSplits() : null;
      if (splits != null) {
        drain(splits, context, result);
      }
      while (!sink.isFinished()) {
        add(sink.getOutput(), context, result);
      }
    } finally {
      if (local != null) {
        local.close();
      }
      pending.forEach(RecordBatch::close);
    }
    return result;
  }

  /** Drives splits alternately, as several threads would. */
  private static void drain(
      SplitSource source, OperatorContext context, List<List<Object>> result) {
    List<Split> splits = new ArrayList<>();
    try {
      for (Split split = source.next(); split != null; split = source.next()) {
        splits.add(split);
      }
      boolean goesOn = true;
      while (goesOn) {
        goesOn = false;
        for (Split split : List.copyOf(splits)) {
          RecordBatch batch = split.next();
          if (batch == null) {
            splits.remove(split);
            split.close();
          } else {
            add(batch, context, result);
            goesOn = true;
          }
        }
      }
    } finally {
      splits.forEach(Split::close);
      source.close();
    }
  }

  private static void add(RecordBatch output, OperatorContext context, List<List<Object>> result) {
    if (output != null) {
      try (RecordBatch batch = context.transfer().toHost(output)) {
        result.addAll(BatchAssertions.rows(batch));
      }
    }
  }
}
