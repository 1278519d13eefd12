package io.ariadne.io.gds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.io.ByteRangeReader;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Batches whose end cannot be waited for: the device is lost, and what cuFile may still use stays
 * open.
 */
class TestFakeCudaGdsAbandonedBatch {
  private static final int LENGTH = 1 << 20;

  @TempDir Path folder;

  private DeviceUnderTest device;

  @AfterEach
  void endProcess() {
    FakeCuFile.endBatches();
  }

  private EngineException lossOf(Runnable fault) throws IOException {
    device = DeviceUnderTest.cuda(DeviceUnderTest.OPTIONS.withPatience(50));
    FakeCuFile.set(FakeCuFile.Option.BUFFER_CACHE_KIB, LENGTH >> 12);
    Path file = folder.resolve("file");
    DeviceUnderTest.write(file, LENGTH);
    EngineException e;
    try (ByteRangeReader reader = device.open(file);
        MemoryBuffer target = device.allocate(LENGTH)) {
      fault.run();
      e = assertThrows(EngineException.class, () -> reader.read(0, target, 0, LENGTH));
    }
    assertEquals(ErrorCode.DEVICE_LOST, e.code(), e::getMessage);
    String lost = device.backend().lost().orElseThrow();
    assertEquals(lost, e.getMessage());
    assertTrue(lost.contains("reads of " + file + " run on without a wait: "), lost);
    return e;
  }

  private void assertStaysOpen() throws IOException {
    device.closeAbandoned();
    assertEquals("", FakeCuFile.faultText());
    assertEquals(0, FakeCuFile.calls("cuFileBatchIODestroy"));
    assertEquals(3, FakeCuFile.openObjects(), "the batch, the file and the driver");
    assertEquals(1, DeviceUnderTest.openFiles(folder));
  }

  @Test
  void losesTheDeviceWhenNothingTellsWhatHasEnded() throws IOException {
    EngineException e = lossOf(() -> FakeCuFile.set(FakeCuFile.Option.FAILING_POLLS, 1 << 30));
    assertTrue(e.getMessage().contains("cuFile does not tell which reads end: "), e.getMessage());
    assertEquals(1, FakeCuFile.calls("cuFileBatchIOCancel"));
    assertStaysOpen();
  }
}
