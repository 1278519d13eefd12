package io.ariadne.kernel.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.kernel.abi.ParquetError;
import io.ariadne.kernel.abi.ParquetTaskLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The list of windows itself: its growth, its bounds, and what errors say of it. */
class TestStreamWindows {
  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final Backend backend = HostBackend.open();

  @Test
  void keepsWindowsWhileItGrows() {
    int count = 1000;
    try (StreamWindows windows = new StreamWindows()) {
      for (int i = 0; i < count; i++) {
        windows.add(i, 2L * i, 3L * i, -i, 5 * i, 6 * i, 7 * i, 8 * i);
      }
      assertEquals(count, windows.size());
      assertEquals(6L * count * (count - 1) / 2, windows.valueCount());
      try (MemoryBuffer array = windows.upload(backend, memory.allocator())) {
        for (int i = 0; i < count; i++) {
          long at = (long) i * ParquetTaskLayout.SIZE_IN_BYTES;
          assertEquals(i, array.getLong(at + ParquetTaskLayout.DATA_OFFSET));
          assertEquals(2L * i, array.getLong(at + ParquetTaskLayout.DATA_BYTES_OFFSET));
          assertEquals(3L * i, array.getLong(at + ParquetTaskLayout.OUT_OFFSET));
          assertEquals(-i, array.getLong(at + ParquetTaskLayout.AUX_OFFSET));
          assertEquals(5 * i, array.getInt(at + ParquetTaskLayout.SKIP_OFFSET));
          assertEquals(6 * i, array.getInt(at + ParquetTaskLayout.COUNT_OFFSET));
          assertEquals(7 * i, array.getInt(at + ParquetTaskLayout.WIDTH_OFFSET));
          assertEquals(8 * i, array.getInt(at + ParquetTaskLayout.LIMIT_OFFSET));
        }
      }
      windows.clear();
      assertEquals(0, windows.size());
      assertEquals(0, windows.valueCount());
    }
  }

  @Test
  void refusesWindowsBeyondItsBounds() {
    try (StreamWindows windows = new StreamWindows()) {
      int largest = Integer.MAX_VALUE;
      assertThrows(IllegalArgumentException.class, () -> addWindow(windows, -1, 0, 0));
      assertThrows(IllegalArgumentException.class, () -> addWindow(windows, 1L + largest, 0, 0));
      assertThrows(IllegalArgumentException.class, () -> addWindow(windows, 0, -1, 1));
      assertThrows(IllegalArgumentException.class, () -> addWindow(windows, 0, 1, -1));
      assertThrows(IllegalArgumentException.class, () -> addWindow(windows, 0, largest, 1));
      addWindow(windows, largest, largest - 1, 1);
      for (int i = windows.size(); i < StreamWindows.MAX_SIZE; i++) {
        addWindow(windows, 0, 0, 0);
      }
      assertThrows(IllegalStateException.class, () -> addWindow(windows, 0, 0, 0));
    }
  }

  @Test
  void refusesUseAfterClose() {
    StreamWindows windows = new StreamWindows();
    windows.close();
    assertThrows(IllegalStateException.class, () -> addWindow(windows, 0, 0, 0));
    assertThrows(IllegalStateException.class, windows::close);
  }

  @Test
  void launchesNothingWithoutWindows() {
    try (StreamWindows windows = new StreamWindows();
        LevelDecoder levels = new LevelDecoder(backend, memory.allocator());
        BinaryDecoder binaries = new BinaryDecoder(backend, memory.allocator())) {
      assertEquals(0, levels.validity(windows).totalCounted());
      assertEquals(0, binaries.decode(windows).size());
    }
  }

  @Test
  void errorsNameWindowAndByte() {
    try (StreamWindows windows = new StreamWindows();
        DenseDecoder decoder = new DenseDecoder(backend, memory.allocator());
        KernelStatus status = backend.newStatus();
        MemoryBuffer data = memory.allocator().allocateZeroed(1);
        MemoryBuffer out = memory.allocator().allocate(1)) {
      data.putBytes(0, new byte[] {2, 1, 2, 5}, 0, 4);
      windows.add(data.address(), 4, out.address(), 0, 0, 1, 4, 5);
      windows.add(data.address(), 4, out.address(), 0, 0, 2, 4, 5);
      decoder.codes(windows, status);
      ParquetPageException failure =
          assertThrows(ParquetPageException.class, () -> DenseDecoder.await(status));
      assertEquals(ParquetError.PARQUET_ERROR_INDEX, failure.code());
      assertEquals(1, failure.window());
      assertEquals(3, failure.byteOffset());
      assertEquals("index at byte 3 of page window 1", failure.getMessage());
    }
  }

  /** After a cancellation nothing is promised of the output, but the launch ends without error. */
  @Test
  void cancelledLaunchesEnd() {
    try (StreamWindows windows = new StreamWindows();
        DenseDecoder decoder = new DenseDecoder(backend, memory.allocator());
        KernelStatus status = backend.newStatus();
        MemoryBuffer data = memory.allocator().allocateZeroed(64);
        MemoryBuffer out = memory.allocator().allocateZeroed(64)) {
      windows.add(data.address(), 64, out.address(), 0, 0, 16, 4, 5);
      status.cancel();
      decoder.codes(windows, status);
      DenseDecoder.await(status);
      assertEquals(0, status.errorWord());
    }
  }

  private static void addWindow(StreamWindows windows, long dataBytes, int skip, int count) {
    windows.add(0, dataBytes, 0, 0, skip, count, 0, 0);
  }
}
