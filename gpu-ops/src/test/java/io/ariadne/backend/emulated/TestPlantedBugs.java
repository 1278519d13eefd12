package io.ariadne.backend.emulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.kernel.abi.PlantedNoneArgsLayout;
import io.ariadne.kernel.testing.WorkBudgets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Proof that the gates bite: every kernel of {@code planted.cu} is caught by the gate that its bug
 * belongs to, and its twins without a bug pass.
 */
class TestPlantedBugs {
  private static final int BLOCK = 256;
  private static final int ROWS = 16 * BLOCK;
  private static final int FLAG_BYTES = 64;
  private static final int SEEDS = 5;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @ParameterizedTest
  @CsvSource({
    "planted_missing_barrier, race:",
    "planted_missing_warp_barrier, race:",
    "planted_uninitialised_shared, uninitialised:",
    "planted_off_by_one, out of bounds: write",
    "planted_shared_off_by_one, out of bounds: write to shared memory",
    "planted_misaligned, misaligned:",
    "planted_divergent_barrier, divergent: block barrier",
    "planted_divergent_collective, divergent: warp collective",
    "planted_conflicting_write, race: write after an unordered write",
    "planted_overwritten_input, race:",
    "planted_relaxed_publish, race: read after an unordered write",
    "planted_relaxed_consume, race: read after an unordered write",
    "planted_stale_read, stale:",
    "planted_compiler_atomic, atomic outside target::",
  })
  void stopsTheLaunchWithEverySeed(String kernel, String words) {
    for (long seed = 0; seed < SEEDS; seed++) {
      String error = run(kernel, seed).error();
      assertTrue(error.startsWith(words), kernel + " seed " + seed + ": " + error);
    }
  }

  @Test
  void findsADeadlockThatDependsOnTheOrderOfBlocks() {
    boolean found = false;
    for (long seed = 0; seed < SEEDS; seed++) {
      found |= run("planted_block_order", seed).error().startsWith("deadlock:");
    }
    assertTrue(found);
  }

  @ParameterizedTest
  @ValueSource(strings = {"planted_one_thread", "planted_uncoalesced"})
  void workBudgetRefusesExcessWork(String kernel) {
    EmulatorReport report = run(kernel, 1);
    assertTrue(report.error().isEmpty(), report.error());
    boolean refused = false;
    try {
      WorkBudgets.check("planted", report);
    } catch (AssertionError e) {
      refused = true;
    }
    assertTrue(refused, report.toString());
  }

  @Test
  void measuresImbalanceAndSectors() {
    assertTrue(run("planted_one_thread", 1).imbalance() > WorkBudgets.MAX_IMBALANCE);
    assertTrue(run("planted_uncoalesced", 1).imbalance() < WorkBudgets.MAX_IMBALANCE);
    double ratio = run("planted_uncoalesced", 1).sectorRatio();
    assertTrue(ratio > WorkBudgets.MAX_STREAMING_RATIO, "ratio " + ratio);
  }

  @Test
  void passesKernelsWithoutABug() {
    for (long seed = 0; seed < SEEDS; seed++) {
      EmulatorReport report = run("planted_none", seed);
      assertTrue(report.error().isEmpty(), report.error());
      WorkBudgets.check("planted", report);
      EmulatorReport ordered = run("planted_release_acquire", seed);
      assertTrue(ordered.error().isEmpty(), ordered.error());
    }
  }

  @Test
  void equalSeedsGiveEqualRuns() {
    for (long seed = 0; seed < SEEDS; seed++) {
      assertEquals(run("planted_missing_barrier", seed), run("planted_missing_barrier", seed));
    }
    assertNotEquals(run("planted_missing_barrier", 1), run("planted_missing_barrier", 2));
  }

  /** Runs one kernel over {@link #ROWS} rows; all planted kernels take the same arguments. */
  private EmulatorReport run(String name, long seed) {
    EmulatedBackend backend = EmulatedBackend.open(seed);
    BufferAllocator allocator = EmulatedBackend.allocator(memory.allocator());
    KernelFunction kernel = backend.kernel(name);
    try (backend;
        MemoryBuffer in = allocator.allocateZeroed((long) ROWS * Integer.BYTES);
        MemoryBuffer out = allocator.allocateZeroed((long) ROWS * Integer.BYTES);
        MemoryBuffer flags = allocator.allocateZeroed(FLAG_BYTES);
        KernelStatus status = backend.newStatus();
        ArgumentBlock arguments = new ArgumentBlock(kernel.argumentBytes())) {
      arguments.putLong(PlantedNoneArgsLayout.STATUS_OFFSET, status.address());
      arguments.putLong(PlantedNoneArgsLayout.IN_OFFSET, in.address());
      arguments.putLong(PlantedNoneArgsLayout.OUT_OFFSET, out.address());
      arguments.putLong(PlantedNoneArgsLayout.FLAGS_OFFSET, flags.address());
      arguments.putInt(PlantedNoneArgsLayout.ROWS_OFFSET, ROWS);
      launch(backend, kernel, arguments);
      return backend.lastReport();
    }
  }

  /** Launches over one block per {@link #BLOCK} rows; an error stays in the report. */
  private static void launch(
      EmulatedBackend backend, KernelFunction kernel, ArgumentBlock arguments) {
    try {
      backend.launch(kernel, ROWS / BLOCK, BLOCK, LaunchShape.KERNEL_DEFAULT, arguments);
    } catch (AssertionError e) {
      assertTrue(e.getMessage().contains(backend.lastReport().error()), e.getMessage());
    }
  }
}
