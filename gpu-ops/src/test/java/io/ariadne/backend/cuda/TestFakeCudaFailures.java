package io.ariadne.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateFunction;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.aggregate.HashAggregateOperatorFactory;
import io.ariadne.operator.project.FilterProjectOperatorFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Driver calls that a filter, a projection and an aggregation make fail, one a run: the failure
 * ends in the right exception, and nothing is left behind.
 *
 * <p>Nor does anything come afterwards: when waiting for a copy fails, the copy is still queued,
 * and the host memory it goes to is freed on the way out. Run later, it overwrites what the
 * allocator keeps there, which shows as a crash elsewhere, once in many runs. The fake driver
 * therefore counts the copies that it gets to run only after their caller has stopped waiting.
 */
class TestFakeCudaFailures {
  private static final int INVALID_VALUE = 1;
  private static final int OUT_OF_MEMORY = 2;
  private static final int LAUNCH_FAILED = 719;
  private static final long SEED = Long.getLong("ariadne.test.seed", System.nanoTime());
  private static final int ROWS = 100;

  /**
   * Calls of an entry point that fail, spread over all of them; where they begin, the seed says.
   */
  private static final int MAX_CASES = Integer.getInteger("ariadne.test.cases", 6);

  private static final long POOL_BYTES = 64 << 20;
  private static final Schema SCHEMA =
      RandomBatches.schemaOf(
          List.of(PrimitiveType.INT64, PrimitiveType.STRING, PrimitiveType.INT32));

  /** Entry points that give something back: they never throw, close tells. */
  private static final Set<String> RELEASING =
      Set.of(
          "cuMemFree_v2",
          "cuMemFreeHost",
          "cuCtxSynchronize",
          "cuEventDestroy_v2",
          "cuStreamDestroy_v2",
          "cuModuleUnload",
          "cuDevicePrimaryCtxRelease_v2");

  /** Entry points that are called again when the driver has no memory. */
  private static final Set<String> ALLOCATING =
      Set.of("cuEventCreate", "cuMemAlloc_v2", "cuMemHostAlloc");

  private static Expression column(int index) {
    return new ColumnReference(index, SCHEMA.field(index).type(), true);
  }

  private static Call call(Function function, PrimitiveType type, Expression... arguments) {
    return new Call(function, List.of(arguments), type, true, EvaluationMode.LEGACY, -1);
  }

  /** Entry points that describe a GPU: without them it is as good as none. */
  private static final Set<String> DESCRIBING =
      Set.of(
          "cuDeviceGet",
          "cuDeviceGetName",
          "cuDeviceGetAttribute",
          "cuDeviceGetUuid",
          "cuDeviceTotalMem_v2");

  /** Entry points that are called before there is a context. */
  private static final Set<String> OPENING =
      Set.of(
          "cuDriverGetVersion",
          "cuDeviceGetCount",
          "cuDeviceGet",
          "cuDeviceGetName",
          "cuDeviceGetAttribute",
          "cuDeviceGetUuid",
          "cuDeviceTotalMem_v2",
          "cuDevicePrimaryCtxRetain");

  /** Why the device of the last run was lost, once for each time it was told. */
  private static final List<String> LOSSES = new ArrayList<>();

  /** Runs everything; returns the first failure, or null. */
  private static EngineException run() {
    TestingAllocator host = new TestingAllocator();
    long blocks = ArgumentBlock.openBlocks();
    EngineException failure = null;
    CudaBackend backend;
    try {
      backend = CudaBackend.open(0);
    } catch (EngineException e) {
      return e;
    }
    backend.whenLost(LOSSES::add);
    MemoryPool pool =
        MemoryPools.over("device", POOL_BYTES, backend.memory(MemoryTier.DEVICE).orElseThrow());
    OperatorContext context =
        new OperatorContext(host, pool, backend, () -> false, ErrorReplay.PLAIN);
    try {
      project(context);
      aggregate(context);
    } catch (EngineException e) {
      failure = e;
    }
    assertEquals(0, pool.allocatedBytes(), "device bytes in the pool");
    pool.close();
    host.assertNothingOpen();
    assertEquals(blocks, ArgumentBlock.openBlocks(), "argument blocks");
    try {
      backend.close();
    } catch (EngineException e) {
      failure = failure == null ? e : failure;
    }
    return failure;
  }

  private static RecordBatch input(OperatorContext context) {
    return new RandomBatches(SEED).batch(SCHEMA, ROWS, NullPattern.SOME, context.allocator());
  }

  private static void project(OperatorContext context) {
    Expression condition =
        call(
            Function.GREATER,
            PrimitiveType.BOOLEAN,
            column(0),
            new Literal(0L, PrimitiveType.INT64));
    Expression sum = call(Function.ADD, PrimitiveType.INT64, column(0), column(0));
    List<Expression> projections = List.of(sum, column(1), column(1));
    Schema output =
        RandomBatches.schemaOf(
            List.of(PrimitiveType.INT64, PrimitiveType.STRING, PrimitiveType.STRING));
    try (Operator operator =
        new FilterProjectOperatorFactory(SCHEMA, condition, projections, output).create(context)) {
      operator.addInput(input(context));
      RecordBatch batch = operator.getOutput();
      if (batch != null) {
        repeat(context, batch, output);
      }
    }
  }

  /** Copies device columns on the device, then to the host. */
  private static void repeat(OperatorContext context, RecordBatch batch, Schema schema) {
    Expression first = new ColumnReference(0, PrimitiveType.INT64, true);
    Schema output = RandomBatches.schemaOf(List.of(PrimitiveType.INT64, PrimitiveType.INT64));
    try (Operator operator = newProjection(schema, List.of(first, first), output, context, batch)) {
      operator.addInput(batch);
      context.transfer().toHost(operator.getOutput()).close();
    }
  }

  /** Creates an operator; closes its input when that fails. */
  private static Operator newProjection(
      Schema schema,
      List<Expression> projections,
      Schema output,
      OperatorContext context,
      RecordBatch input) {
    try {
      return new FilterProjectOperatorFactory(schema, null, projections, output).create(context);
    } catch (RuntimeException e) {
      input.close();
      throw e;
    }
  }

  private static void aggregate(OperatorContext context) {
    AggregateCall sum =
        AggregateCall.of(
            AggregateFunction.SUM, List.of(column(0)), new Field("sum", PrimitiveType.INT64, true));
    Schema output =
        RandomBatches.schemaOf(
            List.of(PrimitiveType.STRING, PrimitiveType.INT32, PrimitiveType.INT64));
    HashAggregateOperatorFactory factory =
        new HashAggregateOperatorFactory(
            true, SCHEMA, null, List.of(column(1), column(2)), List.of(sum), output);
    try (SinkOperator sink = factory.create(context)) {
      for (int i = 0; i < 2; i++) {
        SinkState local = sink.newLocal();
        boolean isCombined = false;
        try {
          local.addInput(input(context));
          isCombined = true;
        } finally {
          if (!isCombined) {
            local.close();
          }
        }
        sink.combine(local);
      }
      sink.finish();
      while (!sink.isFinished()) {
        RecordBatch batch = sink.getOutput();
        if (batch != null) {
          context.transfer().toHost(batch).close();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cuInit",
        "cuDriverGetVersion",
        "cuDeviceGetCount",
        "cuDeviceGet",
        "cuDeviceGetName",
        "cuDeviceGetAttribute",
        "cuDeviceGetUuid",
        "cuDeviceTotalMem_v2",
        "cuDevicePrimaryCtxRetain",
        "cuDevicePrimaryCtxRelease_v2",
        "cuCtxSetCurrent",
        "cuCtxSynchronize",
        "cuEventCreate",
        "cuEventDestroy_v2",
        "cuEventRecord",
        "cuEventSynchronize",
        "cuMemAlloc_v2",
        "cuMemFree_v2",
        "cuMemHostAlloc",
        "cuMemFreeHost",
        "cuMemcpyHtoDAsync_v2",
        "cuMemcpyDtoHAsync_v2",
        "cuMemcpyDtoDAsync_v2",
        "cuMemsetD8Async",
        "cuStreamCreate",
        "cuStreamDestroy_v2",
        "cuStreamSynchronize",
        "cuModuleLoadData",
        "cuModuleUnload",
        "cuModuleGetFunction",
        "cuFuncGetAttribute",
        "cuFuncSetAttribute",
        "cuOccupancyMaxActiveBlocksPerMultiprocessor",
        "cuLaunchKernel"
      })
  void anyCallThatFailsLeaksNothing(String entryPoint) {
    checkCallsOf(entryPoint, true);
  }

  /** The driver copies pageable memory where it has refused memory for staging. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "cuMemcpyHtoDAsync_v2",
        "cuMemcpyDtoHAsync_v2",
        "cuStreamCreate",
        "cuStreamSynchronize"
      })
  void anyCallThatFailsWithoutStagingLeaksNothing(String entryPoint) {
    checkCallsOf(entryPoint, false);
  }

  private static void reset(boolean isStaging) {
    FakeDriver.reset(FakeDriver.Options.DEFAULT, SEED);
    if (!isStaging) {
      FakeDriver.refusePinnedAbove(StagingRing.CHUNK_BYTES);
    }
  }

  private static void checkCallsOf(String entryPoint, boolean isStaging) {
    reset(isStaging);
    EngineException clean = run();
    assertEquals(null, clean, "without a failure, seed " + SEED);
    assertEquals(0, FakeDriver.openObjects());
    assertEquals(0, FakeDriver.leakedObjects());
    long calls = FakeDriver.calls(entryPoint);
    assertTrue(calls > 0, "never called");
    long step = Math.max(1, calls / MAX_CASES);
    for (int status : new int[] {INVALID_VALUE, OUT_OF_MEMORY, LAUNCH_FAILED}) {
      for (long call = 1 + Math.floorMod(SEED, step); call <= calls; call += step) {
        check(entryPoint, call, status, isStaging);
      }
    }
  }

  private static void check(String entryPoint, long call, int status, boolean isStaging) {
    String what = entryPoint + " call " + call + " returns " + status + ", seed " + SEED;
    reset(isStaging);
    FakeDriver.fail(entryPoint, call, status);
    LOSSES.clear();
    EngineException failure = run();
    // A request for memory that the driver refuses once is made again, and a copy without an event
    // is made by the driver.
    boolean isMadeAgain = status == OUT_OF_MEMORY && ALLOCATING.contains(entryPoint);
    if (isMadeAgain && failure == null) {
      assertEquals(0, FakeDriver.openObjects(), what);
      return;
    }
    if (failure == null && status == LAUNCH_FAILED) {
      // Detected by a release, after which no work is left.
      assertEquals(1, LOSSES.size(), what);
      assertTrue(RELEASING.contains(entryPoint) || entryPoint.equals("cuCtxSetCurrent"), what);
      return;
    }
    assertTrue(failure != null, "no failure: " + what);
    assertEquals(0, FakeDriver.lateCopies(), "copies into memory that may be freed: " + what);
    boolean isReleasing = RELEASING.contains(entryPoint);
    ErrorCode code = failure.code();
    if (entryPoint.equals("cuInit") || DESCRIBING.contains(entryPoint)) {
      assertEquals(ErrorCode.CONFIGURATION, code, what);
    } else if (status == OUT_OF_MEMORY && !isReleasing) {
      boolean isReleasingContext = entryPoint.equals("cuCtxSetCurrent") && isOfClose(failure);
      assertEquals(isReleasingContext ? ErrorCode.INTERNAL : ErrorCode.OUT_OF_MEMORY, code, what);
    } else if (status == LAUNCH_FAILED && !OPENING.contains(entryPoint)) {
      assertEquals(ErrorCode.DEVICE_LOST, code, what + ": " + failure);
      assertTrue(LOSSES.size() <= 1, what);
    } else {
      assertEquals(ErrorCode.INTERNAL, code, what + ": " + failure);
    }
    if (!entryPoint.equals("cuDevicePrimaryCtxRelease_v2")) {
      assertEquals(0, FakeDriver.openObjects(), what);
      boolean mayLeak = isReleasing || entryPoint.equals("cuCtxSetCurrent");
      assertTrue(
          mayLeak || status == LAUNCH_FAILED || FakeDriver.leakedObjects() == 0,
          "leaked " + FakeDriver.leakedObjects() + ": " + what);
    }
  }

  private static boolean isOfClose(EngineException failure) {
    return failure.getMessage().contains("give something back");
  }
}
