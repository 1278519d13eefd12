package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.backend.simulated.SimulatedDevice;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.MemoryUsage;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.executor.SelectedBackend;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.metrics.FragmentMetrics;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A device that holds a quarter of what a query keeps, on a host that holds half. The system
 * property {@code ariadne.test.keys} says how many groups there are: 2097152 for a sixteenth.
 */
@Timeout(300)
class TestDeviceMemory {
  private static final long DEVICE_BYTES = 4L << 20;
  private static final long HOST_BYTES = 8L << 20;

  /** A group takes 32 bytes at least: these take 16 MiB. */
  private static final int KEYS = Integer.getInteger("ariadne.test.keys", 1 << 19);

  private static final KeySums SUMS = new KeySums(KEYS, 8192);

  @TempDir private Path folder;

  private FragmentMetrics totals;

  /** Groups go from the device to the host and on to disk, and all come back. */
  @Test
  void aggregatesMoreGroupsThanFitOnTheDevice() {
    MemoryUsage end = run(DiskSpillOptions.in(List.of(folder)), HOST_BYTES);
    assertTrue(end.movedFromDevice() > KEYS * 32L / 2, end.toString());
    assertTrue(totals.diskBytes() > 0);
    assertEquals(end.movedFromHost(), totals.spilledBytes());
    assertTrue(end.movedFromHost() > KEYS * 32L / 8, end.toString());
    assertTrue(end.pageBytes() > 0, end.toString());
  }

  /** Without disks the host takes all. */
  @Test
  void spillsToTheHostWithoutDisks() {
    MemoryUsage end = run(null, 512L << 20);
    assertTrue(end.movedFromDevice() > KEYS * 32L / 2, end.toString());
    assertEquals(0, totals.spilledBytes());
    assertEquals(0, end.movedFromHost());
  }

  /** Most of the host is in use and stays there: groups go to disk all the same. */
  @Test
  void spillsToDiskWhenTheHostIsFull() {
    MemoryUsage end = run(DiskSpillOptions.in(List.of(folder)), HOST_BYTES, HOST_BYTES / 2);
    assertTrue(end.movedFromDevice() > KEYS * 32L / 2, end.toString());
  }

  private MemoryUsage run(DiskSpillOptions disks, long hostBytes) {
    return run(disks, hostBytes, 0);
  }

  private MemoryUsage run(DiskSpillOptions disks, long hostBytes, long heldBytes) {
    RuntimeConfig config =
        RuntimeConfig.of(2, hostBytes).withInFlight(3, 256 << 10).withSpill(disks);
    SimulatedBackend device = SimulatedBackend.open(SimulatedDevice.of(DEVICE_BYTES));
    try (ExecutorRuntime runtime =
        ExecutorRuntime.start(config, new SelectedBackend(device, "test"))) {
      try (MemoryBuffer held = runtime.pool().allocate(heldBytes)) {
        assertEquals(heldBytes, held.lengthInBytes());
        aggregate(runtime);
      }
      MemoryUsage end = runtime.memoryUsage();
      assertEquals(0, end.hostBytes() + end.deviceBytes() + end.hostedBytes() + end.diskBytes());
      assertEquals(0, totals.memory().heldBytes());
      assertTrue(totals.peakBytes() > DEVICE_BYTES / 2, () -> totals.peakBytes() + " bytes");
      assertTrue(totals.peakBytes() < DEVICE_BYTES + hostBytes);
      return end;
    }
  }

  private void aggregate(ExecutorRuntime runtime) {
    try (FragmentExecution execution =
        runtime.submit(KeySums.plan(), List.of(), List.of(SUMS.scan()), TaskEnvironment.NONE)) {
      totals = execution.totals();
      SUMS.check(execution);
    }
  }
}
