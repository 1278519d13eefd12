package io.ariadne.backend.simulated;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.EventKind;
import io.ariadne.event.EventTotals;
import io.ariadne.event.ThreadRecords;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.MemorySource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TestSimulatedBackend {
  private static final int MIB = 1 << 20;

  private static MemoryPool poolOf(SimulatedBackend backend) {
    MemorySource source = backend.memory(MemoryTier.DEVICE).orElseThrow();
    return MemoryPools.over("device", backend.freeMemoryInBytes(), source);
  }

  @Test
  void deviceMemoryIsLimitedAndOnlyForKernels() {
    try (SimulatedBackend backend = SimulatedBackend.open(SimulatedDevice.of(MIB));
        MemoryPool pool = poolOf(backend);
        MemoryPool host = MemoryPools.host("host", MIB);
        MemoryBuffer here = host.allocate(64)) {
      try (MemoryBuffer buffer = pool.allocate(MIB - 64)) {
        assertEquals(64, backend.freeMemoryInBytes());
        assertThrows(IllegalStateException.class, () -> buffer.getByte(0));
        assertThrows(EngineException.class, () -> pool.allocate(128));
        assertEquals(0, backend.memory(MemoryTier.DEVICE).orElseThrow().allocate(128));
        long from = here.address();
        assertThrows(IllegalArgumentException.class, () -> backend.write(from, here, 0, 64));
        assertThrows(
            IndexOutOfBoundsException.class, () -> backend.write(from, buffer, MIB - 64, 64));
      }
      assertEquals(MIB, backend.freeMemoryInBytes());
    }
  }

  @Test
  void copiesBetweenHostAndDevice() {
    EventTotals before = ThreadRecords.totals(EventKind.COPY);
    try (SimulatedBackend backend = SimulatedBackend.open(SimulatedDevice.of(MIB));
        MemoryPool pool = poolOf(backend);
        MemoryPool host = MemoryPools.host("host", MIB);
        MemoryBuffer here = host.allocate(128);
        MemoryBuffer there = pool.allocateZeroed(128)) {
      byte[] bytes = new byte[128];
      bytes[3] = 7;
      here.putBytes(0, bytes, 0, 128);
      backend.write(here.address(), there, 0, 128);
      here.fillZero();
      backend.read(there, 0, here.address(), 128);
      byte[] back = new byte[128];
      here.getBytes(0, back, 0, 128);
      assertArrayEquals(bytes, back);
      backend.clear(there, 0, 128);
      backend.read(there, 0, here.address(), 128);
      assertEquals(0, here.getByte(3));
    }
    EventTotals copied = ThreadRecords.totals(EventKind.COPY).minus(before);
    assertEquals(3, copied.count());
    assertEquals(3 * 128, copied.bytes());
  }

  /** Copies take at least as long as the device says; those of one direction share it. */
  @Test
  void copiesTakeAsLongAsTheBandwidthDemands() throws InterruptedException {
    SimulatedDevice slow = new SimulatedDevice(4 * MIB, 50, 500, 1);
    try (SimulatedBackend backend = SimulatedBackend.open(slow);
        MemoryPool pool = poolOf(backend);
        MemoryPool host = MemoryPools.host("host", 4 * MIB);
        MemoryBuffer here = host.allocate(MIB);
        MemoryBuffer there = pool.allocate(MIB)) {
      long start = System.nanoTime();
      Thread other = new Thread(() -> backend.write(here.address(), there, 0, MIB / 2));
      other.start();
      backend.write(here.address(), there, MIB / 2, MIB / 2);
      other.join();
      long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start);
      assertTrue(micros >= MIB / 50 + 500, micros + " us");
    }
  }

  @Test
  void reportsALeak() {
    SimulatedBackend backend = SimulatedBackend.open(SimulatedDevice.of(MIB));
    MemorySource source = backend.memory(MemoryTier.DEVICE).orElseThrow();
    long address = source.allocate(64);
    EngineException leak = assertThrows(EngineException.class, backend::close);
    assertEquals(ErrorCode.INTERNAL, leak.code());
    source.free(address, 64);
  }

  @Test
  void refusesImpossibleDevices() {
    assertThrows(EngineException.class, () -> new SimulatedDevice(0, 0, 0, 1));
    assertThrows(EngineException.class, () -> new SimulatedDevice(1, 0, 0, 0));
    assertThrows(EngineException.class, () -> new SimulatedDevice(1, 0, 0, 2));
    assertThrows(EngineException.class, () -> new SimulatedDevice(1, -1, 0, 1));
  }

  @Test
  void lostDeviceRefusesAllCalls() {
    List<String> told = new ArrayList<>();
    try (SimulatedBackend backend = SimulatedBackend.open(SimulatedDevice.of(MIB));
        MemoryPool pool = poolOf(backend);
        MemoryBuffer there = pool.allocateZeroed(128)) {
      backend.whenLost(told::add);
      KernelFunction kernel = backend.kernel("entry_mask");
      try (ArgumentBlock arguments = new ArgumentBlock(kernel.argumentBytes())) {
        backend.loseAfter(0);
        EngineException lost =
            assertThrows(
                EngineException.class,
                () -> backend.launch(kernel, LaunchShape.ofRows(0), arguments));
        assertEquals(ErrorCode.DEVICE_LOST, lost.code());
        assertEquals(List.of(lost.getMessage()), told);
        EngineException again =
            assertThrows(
                EngineException.class,
                () -> backend.read(there, 0, arguments.address(), Long.BYTES));
        assertEquals(lost.getMessage(), again.getMessage());
        assertThrows(EngineException.class, () -> pool.allocate(64));
        assertEquals(0, backend.memory(MemoryTier.PINNED).orElseThrow().allocate(64));
      }
    }
    assertEquals(1, told.size());
  }
}
