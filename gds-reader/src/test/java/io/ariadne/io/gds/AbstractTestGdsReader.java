package io.ariadne.io.gds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ByteRangeReaderProvider.Support;
import io.ariadne.io.OpenRequest;
import io.ariadne.io.PendingRead;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds however bytes reach the device. */
abstract class AbstractTestGdsReader {
  private static final int LENGTH = 5_000_017;
  private static final int PAGE = 4096;

  @TempDir Path folder;

  private DeviceUnderTest device;
  private Path file;
  private byte[] content;
  private final Random random = new Random(DeviceUnderTest.SEED);
  private ExecutorService threads;

  /** Opens the device. */
  abstract DeviceUnderTest device();

  /** Returns the mode that has to be reported. */
  abstract DirectStorage.Mode mode();

  @BeforeEach
  void open() throws IOException {
    device = device();
    file = folder.resolve("file");
    content = DeviceUnderTest.write(file, LENGTH);
    threads = Executors.newFixedThreadPool(3);
  }

  @AfterEach
  void close() throws Exception {
    if (device == null) {
      return; // there is none: the test is skipped
    }
    threads.shutdown();
    assertTrue(threads.awaitTermination(20, TimeUnit.SECONDS));
    device.close();
    assertEquals(0, DeviceUnderTest.openFiles(folder), "open files");
  }

  private MemoryBuffer allocate(boolean isDevice, long bytes) {
    return isDevice ? device.allocate(bytes) : device.allocateOnHost(bytes);
  }

  @Test
  void reportsTheMode() {
    assertEquals(mode(), device.storage().mode());
    assertEquals(mode() == DirectStorage.Mode.DIRECT, device.storage().reason().isEmpty());
    Support support = device.provider().support(OpenRequest.ofLocal(file));
    assertEquals(Support.Kind.SUPPORTED, support.kind());
    assertTrue(support.detail().contains("mode " + mode()), support.detail());
    assertTrue(support.detail().contains(device.storage().reason()), support.detail());
  }

  @Test
  void readsRangesOfAnyAlignment() throws IOException {
    try (ByteRangeReader reader = device.open(file)) {
      assertEquals(LENGTH, reader.lengthInBytes());
      for (int i = 0; i < 60; i++) {
        boolean isDevice = i % 4 != 0;
        int length = i % 3 == 0 ? random.nextInt(2_500_000) : random.nextInt(50_000);
        int position = random.nextInt(LENGTH - length + 1);
        int offset = i % 2 == 0 ? position % PAGE : random.nextInt(PAGE);
        try (MemoryBuffer target = allocate(isDevice, length + PAGE)) {
          reader.read(position, target, offset, length);
          device.assertBytes(content, position, target, offset, length, "read " + i);
        }
      }
    }
  }

  @Test
  void readsWholeFilesAndNothing() throws IOException {
    try (ByteRangeReader reader = device.open(file);
        MemoryBuffer target = device.allocate(LENGTH)) {
      reader.read(0, target, 0, LENGTH);
      device.assertBytes(content, 0, target, 0, LENGTH, "whole");
      reader.read(LENGTH, target, 0, 0);
      reader.readAll(List.of());
    }
  }

  @Test
  void readsEmptyFiles() throws IOException {
    Path empty = Files.createFile(folder.resolve("empty"));
    try (ByteRangeReader reader = device.open(empty);
        MemoryBuffer target = device.allocate(64)) {
      assertEquals(0, reader.lengthInBytes());
      reader.read(0, target, 0, 0);
      assertThrows(EOFException.class, () -> reader.read(0, target, 0, 1));
    }
  }

  @Test
  void readsSeveralRangesAtOnce() throws Exception {
    try (ByteRangeReader reader = device.open(file)) {
      for (int round = 0; round < 4; round++) {
        List<MemoryBuffer> targets = new ArrayList<>();
        List<ByteRange> ranges = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
          int length = i == 7 ? 4_700_000 : random.nextInt(100_000);
          long position = random.nextInt(LENGTH - length + 1);
          MemoryBuffer target = allocate(i % 5 != 0, length + PAGE);
          targets.add(target);
          ranges.add(new ByteRange(position, target, i % 3 == 0 ? position % PAGE : i, length));
        }
        if (round % 2 == 0) {
          reader.readAll(ranges);
        } else {
          PendingRead read = reader.start(ranges, threads);
          read.completion().get(20, TimeUnit.SECONDS);
          read.cancel();
        }
        for (ByteRange range : ranges) {
          device.assertBytes(
              content,
              range.position(),
              range.target(),
              range.targetOffset(),
              (int) range.length(),
              "round " + round + " " + range);
        }
        targets.forEach(MemoryBuffer::close);
      }
    }
  }

  @Test
  void seesWorkThatWasQueuedBefore() throws IOException {
    int length = 1 << 20;
    try (ByteRangeReader reader = device.open(file)) {
      for (int i = 0; i < 8; i++) {
        try (MemoryBuffer target = device.allocate(length)) {
          // Without a wait the clearing would run after the read, on a driver that is late.
          device.backend().clear(target, 0, length);
          reader.read(0, target, 0, length);
          device.assertBytes(content, 0, target, 0, length, "clear " + i);
        }
      }
    }
  }

  @Test
  void readsOnManyThreads() throws Exception {
    try (ByteRangeReader reader = device.open(file)) {
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int t = 0; t < 3; t++) {
        long seed = DeviceUnderTest.SEED + t;
        all.add(CompletableFuture.runAsync(() -> readMuch(reader, seed), threads));
      }
      for (CompletableFuture<Void> each : all) {
        each.get(60, TimeUnit.SECONDS);
      }
    }
  }

  private void readMuch(ByteRangeReader reader, long seed) {
    Random ownRandom = new Random(seed);
    try {
      for (int i = 0; i < 25; i++) {
        int length = ownRandom.nextInt(300_000);
        int position = ownRandom.nextInt(LENGTH - length + 1);
        try (MemoryBuffer target = device.allocate(length + PAGE)) {
          int offset = position % PAGE;
          reader.read(position, target, offset, length);
          device.assertBytes(content, position, target, offset, length, "thread " + seed);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void refusesRangesOutsideTheFile() throws IOException {
    try (ByteRangeReader reader = device.open(file);
        MemoryBuffer target = device.allocate(64)) {
      for (long position : new long[] {-1, LENGTH - 63, Long.MAX_VALUE}) {
        EOFException e =
            assertThrows(EOFException.class, () -> reader.read(position, target, 0, 64));
        assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
        ByteRange range = new ByteRange(position, target, 0, 64);
        CompletableFuture<Void> started = reader.start(List.of(range), threads).completion();
        ExecutionException failure =
            assertThrows(ExecutionException.class, () -> started.get(20, TimeUnit.SECONDS));
        assertEquals(EOFException.class, failure.getCause().getClass());
      }
      assertThrows(IndexOutOfBoundsException.class, () -> reader.read(0, target, 1, 64));
    }
  }

  @Test
  void refusesTiersWithoutAddresses() throws IOException {
    try (ByteRangeReader reader = device.open(file);
        MemoryBuffer target = new MemoryBuffer(0, 64, 64, MemoryTier.DISK, buffer -> {})) {
      assertThrows(IllegalArgumentException.class, () -> reader.read(0, target, 0, 64));
    }
  }

  @Test
  void failsAfterClose() throws IOException {
    ByteRangeReader reader = device.open(file);
    try (MemoryBuffer target = device.allocate(LENGTH);
        MemoryBuffer host = device.allocateOnHost(64)) {
      reader.read(0, target, 0, LENGTH);
      reader.close();
      assertThrows(ClosedChannelException.class, () -> reader.read(0, target, 0, LENGTH));
      assertThrows(ClosedChannelException.class, () -> reader.read(0, host, 0, 1));
    }
  }

  @Test
  void noticesThatAFileWasCut() throws IOException {
    try (ByteRangeReader reader = device.open(file);
        MemoryBuffer target = device.allocate(LENGTH)) {
      Files.write(file, new byte[100_000]);
      IOException e = assertThrows(IOException.class, () -> reader.read(0, target, 0, LENGTH));
      assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
    }
  }

  @Test
  void noticesThatAFileWasCutAfterItsFirstRead() throws IOException {
    try (ByteRangeReader reader = device.open(file);
        MemoryBuffer target = device.allocate(LENGTH)) {
      reader.read(0, target, 0, 1 << 20);
      Files.write(file, new byte[100_000]);
      EOFException e = assertThrows(EOFException.class, () -> reader.read(0, target, 0, LENGTH));
      assertTrue(e.getMessage().contains("has been cut"), e.getMessage());
      assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
    }
  }

  @Test
  void namesAMissingFile() {
    Path missing = folder.resolve("missing");
    NoSuchFileException e =
        assertThrows(NoSuchFileException.class, () -> device.open(missing).close());
    assertTrue(e.getMessage().contains("missing"), e.getMessage());
  }

  @Test
  void failsWhenThreadsAreStopped() throws IOException {
    ExecutorService stopped = Executors.newFixedThreadPool(1);
    stopped.shutdown();
    try (ByteRangeReader reader = device.open(file);
        MemoryBuffer target = device.allocate(64)) {
      CompletableFuture<Void> read =
          reader.start(List.of(new ByteRange(0, target, 0, 64)), stopped).completion();
      ExecutionException e =
          assertThrows(ExecutionException.class, () -> read.get(20, TimeUnit.SECONDS));
      assertTrue(e.getMessage().contains("have been stopped"), e.getMessage());
    }
  }

  @Test
  void failsWhenTheRuntimeHasStopped() throws IOException {
    device.storage();
    try (ByteRangeReader reader = device.open(file);
        MemoryBuffer target = device.allocate(LENGTH)) {
      reader.read(0, target, 0, LENGTH);
      device.stop();
      IOException e = assertThrows(IOException.class, () -> reader.read(0, target, 0, LENGTH));
      assertTrue(e.getMessage().contains("has stopped"), e.getMessage());
    }
    assertEquals(
        Support.Kind.OTHER_STORAGE, device.provider().support(OpenRequest.ofLocal(file)).kind());
    try (ByteRangeReader plain = device.open(file);
        MemoryBuffer host = device.allocateOnHost(LENGTH)) {
      plain.read(0, host, 0, LENGTH);
      device.assertBytes(content, 0, host, 0, LENGTH, "without a device");
    }
  }
}
