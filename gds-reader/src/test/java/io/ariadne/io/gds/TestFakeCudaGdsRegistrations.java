package io.ariadne.io.gds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.cuda.FakeDriver;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Device memory and streams that are registered with cuFile. */
class TestFakeCudaGdsRegistrations {
  private static final int LENGTH = 3 << 20;
  private static final int SLAB = 8 << 20;

  @TempDir Path folder;

  private DeviceUnderTest device;
  private DirectStorage storage;
  private Path file;
  private byte[] content;

  @BeforeEach
  void open() throws IOException {
    open(DeviceUnderTest.OPTIONS);
  }

  private void open(GdsOptions options) throws IOException {
    device = DeviceUnderTest.cuda(options);
    storage = device.storage();
    file = folder.resolve("file");
    content = DeviceUnderTest.write(file, LENGTH);
  }

  @AfterEach
  void close() throws IOException {
    device.close();
    assertEquals(0, DeviceUnderTest.openFiles(folder), "open files");
  }

  @Test
  void readsIntoRegisteredMemory() throws IOException {
    try (ByteRangeReader reader = device.open(file);
        MemoryBuffer slab = device.allocate(SLAB)) {
      try (DirectStorage.Registration slice =
          storage.register(slab.address() + (1 << 20), 4 << 20)) {
        assertEquals("", slice.reason());
        reader.read(0, slab, 2 << 20, LENGTH); // within
        device.assertBytes(content, 0, slab, 2 << 20, LENGTH, "within");
        assertTrue(FakeCuFile.registeredReads() > 0);
        assertEquals(0, FakeCuFile.unregisteredReads());
        reader.read(0, slab, 0, 1 << 20); // before
        device.assertBytes(content, 0, slab, 0, 1 << 20, "before");
        assertTrue(FakeCuFile.unregisteredReads() > 0);
        FakeCuFile.set(FakeCuFile.Option.READ_LIMIT, 10_000);
        reader.read(0, slab, 1 << 20, 1 << 20); // at its begin, in short reads
        device.assertBytes(content, 0, slab, 1 << 20, 1 << 20, "at its begin");
      }
      reader.read(0, slab, 2 << 20, 1 << 20);
      device.assertBytes(content, 0, slab, 2 << 20, 1 << 20, "afterwards");
    }
  }

  @Test
  void worksWithoutRegistrationsWhenTheLimitIsReached() throws IOException {
    FakeCuFile.set(FakeCuFile.Option.REGISTERED_LIMIT, 4 << 20);
    try (ByteRangeReader reader = device.open(file);
        MemoryBuffer slab = device.allocate(SLAB);
        DirectStorage.Registration first = storage.register(slab.address(), 4 << 20);
        DirectStorage.Registration second = storage.register(slab.address() + (4 << 20), 4 << 20)) {
      assertEquals("", first.reason());
      assertEquals("CU_FILE_INVALID_MAPPING_SIZE (5016)", second.reason());
      reader.read(0, slab, 4 << 20, LENGTH);
      device.assertBytes(content, 0, slab, 4 << 20, LENGTH, "not registered");
    }
  }

  @Test
  void saysWhyMemoryIsNotRegistered() {
    try (MemoryBuffer slab = device.allocate(SLAB);
        MemoryBuffer host = device.allocateOnHost(SLAB)) {
      DirectStorage.Registration first = storage.register(slab.address(), SLAB);
      assertTrue(storage.register(slab.address(), 4096).reason().contains("MEMORY_ALREADY"));
      assertTrue(storage.register(host.address(), 4096).reason().contains("POINTER_INVALID"));
      assertThrows(IllegalArgumentException.class, () -> storage.register(0, 4096));
      assertThrows(IllegalArgumentException.class, () -> storage.register(slab.address(), 0));
      first.close();
      first.close();
    }
  }

  @Test
  void endsRegistrationsThatAreLeftOver() {
    try (MemoryBuffer slab = device.allocate(SLAB)) {
      assertEquals("", storage.register(slab.address(), SLAB).reason());
      device.stop();
      assertEquals(1, FakeCuFile.calls("cuFileBufDeregister"));
    }
  }

  @Test
  void aRegistrationEndsAfterTheReadsIntoIt() throws Exception {
    try (ByteRangeReader reader = device.open(file);
        MemoryBuffer slab = device.allocate(SLAB)) {
      DirectStorage.Registration whole = storage.register(slab.address(), SLAB);
      FakeDriver.stall("cuFakeDmaWrite", 1);
      CompletableFuture<Void> read =
          CompletableFuture.runAsync(() -> readUnchecked(reader, slab, 1 << 20));
      FakeDriver.awaitStalled();
      CompletableFuture<Void> end = CompletableFuture.runAsync(whole::close);
      assertEquals(0, FakeCuFile.calls("cuFileBufDeregister"));
      FakeDriver.resume();
      read.get(20, TimeUnit.SECONDS);
      end.get(20, TimeUnit.SECONDS);
      assertEquals(1, FakeCuFile.calls("cuFileBufDeregister"));
    }
  }

  @Test
  void saysThatReadsDoNotEnd() throws Exception {
    close();
    open(DeviceUnderTest.OPTIONS.withPatience(50));
    try (ByteRangeReader reader = device.open(file);
        MemoryBuffer slab = device.allocate(SLAB)) {
      FakeDriver.stall("cuFakeDmaWrite", 1);
      CompletableFuture<Void> read =
          CompletableFuture.runAsync(() -> readUnchecked(reader, slab, 1 << 20));
      FakeDriver.awaitStalled();
      IllegalStateException e = assertThrows(IllegalStateException.class, storage::close);
      assertTrue(e.getMessage().contains("have not ended within 50 ms"), e.getMessage());
      FakeDriver.resume();
      read.get(20, TimeUnit.SECONDS);
    }
    storage.close();
  }

  private static void readUnchecked(ByteRangeReader reader, MemoryBuffer target, int length) {
    try {
      reader.read(0, target, 0, length);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void readsInTheOrderOfAStream() throws IOException {
    try (ByteRangeReader reader = device.open(file);
        MemoryBuffer slab = device.allocate(SLAB);
        DirectStorage.Registration memory = storage.register(slab.address(), SLAB);
        DirectStorage.Registration stream = storage.registerStream(0)) {
      assertEquals("", memory.reason());
      assertEquals("", stream.reason());
      ByteRange range = new ByteRange(777, slab, 4096, LENGTH - 777);
      StreamRead read = storage.readOnStream(reader, range, 0).orElseThrow();
      FakeDriver.runQueued();
      read.finish();
      read.close();
      read.close();
      device.assertBytes(content, 777, slab, 4096, LENGTH - 777, "on a stream");
      assertEquals(1, FakeCuFile.registeredReads());
    }
  }

  @Test
  void readsOnStreamsNoticeThatAFileWasCut() throws IOException {
    try (ByteRangeReader reader = device.open(file);
        MemoryBuffer slab = device.allocate(SLAB)) {
      ByteRange range = new ByteRange(0, slab, 0, LENGTH);
      reader.read(0, slab, 0, LENGTH); // opens the file: it is not compared again
      int cuts = 0;
      for (int i = 0; i < 20; i++) {
        Files.write(file, content);
        StreamRead read = storage.readOnStream(reader, range, 0).orElseThrow();
        Files.write(file, new byte[5]); // too late for a stream that has read at once
        FakeDriver.runQueued();
        cuts += isCut(read) ? 1 : 0;
        read.close();
      }
      assertTrue(cuts > 0);
    }
  }

  private boolean isCut(StreamRead read) throws IOException {
    try {
      read.finish();
      return false;
    } catch (EOFException e) {
      assertTrue(e.getMessage().contains("byte 5, has been cut: " + file), e.getMessage());
      return true;
    }
  }

  @Test
  void readsOtherwiseWhereThereAreNoStreams() throws IOException {
    try (ByteRangeReader reader = device.open(file);
        MemoryBuffer slab = device.allocate(SLAB)) {
      ByteRange range = new ByteRange(0, slab, 0, LENGTH);
      FakeCuFile.fail("cuFileReadAsync", 1, 5038);
      assertEquals(Optional.empty(), storage.readOnStream(reader, range, 0));
      FakeCuFile.fail("cuFileStreamRegister", 1, 5022);
      assertEquals("CU_FILE_INVALID_VALUE (5022)", storage.registerStream(0).reason());
      assertThrows(
          EOFException.class,
          () -> storage.readOnStream(reader, new ByteRange(1, slab, 0, LENGTH), 0));
    }
    device.close();
    device = DeviceUnderTest.cuda();
    FakeCuFile.set(FakeCuFile.Option.FEATURES, 0);
    storage = device.storage();
    assertTrue(storage.registerStream(0).reason().contains("no files on streams"));
    try (ByteRangeReader reader = device.open(file);
        MemoryBuffer slab = device.allocate(SLAB)) {
      assertEquals(
          Optional.empty(), storage.readOnStream(reader, new ByteRange(0, slab, 0, 4096), 0));
    }
  }
}
