package io.ariadne.io.gds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.cuda.FakeDriver;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.PendingRead;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches of cuFile: what they give, when they end, and how they fail. */
class TestFakeCudaGdsBatches {
  private static final int PIECES = 8;
  private static final int PIECE = 256 << 10;
  private static final int LENGTH = PIECES * PIECE;

  @TempDir Path folder;

  private DeviceUnderTest device;
  private Path file;
  private byte[] content;
  private ByteRangeReader reader;
  private MemoryBuffer target;

  @BeforeEach
  void open() throws IOException {
    open(DeviceUnderTest.OPTIONS, () -> {});
  }

  /** Opens a device; the library is changed before the reader asks for its properties. */
  private void open(GdsOptions options, Runnable changes) throws IOException {
    device = DeviceUnderTest.cuda(options);
    changes.run();
    FakeCuFile.set(FakeCuFile.Option.BUFFER_CACHE_KIB, PIECE >> 10);
    file = folder.resolve("file");
    content = DeviceUnderTest.write(file, LENGTH);
    reader = device.open(file);
    target = device.allocate(LENGTH);
  }

  @AfterEach
  void close() throws IOException {
    target.close();
    reader.close();
    device.close();
    assertEquals(0, DeviceUnderTest.openFiles(folder), "open files");
  }

  private void openWithoutBatches() throws IOException {
    close();
    open(DeviceUnderTest.OPTIONS, () -> FakeCuFile.set(FakeCuFile.Option.FEATURES, 0));
  }

  private void assertReadsAll() throws IOException {
    reader.read(0, target, 0, LENGTH);
    device.assertBytes(content, 0, target, 0, LENGTH, "all");
  }

  private IOException failure() {
    return assertThrows(IOException.class, () -> reader.read(0, target, 0, LENGTH));
  }

  @Test
  void readsPiecesOfTheLibrarysSize() throws IOException {
    assertReadsAll();
    assertEquals(1, FakeCuFile.calls("cuFileBatchIOSubmit"));
    assertEquals(0, FakeCuFile.calls("cuFileRead"));
    assertEquals(PIECES, FakeCuFile.unregisteredReads());
  }

  @Test
  void readsAsManyAtOnceAsTheLibraryTakes() throws IOException {
    close();
    open(DeviceUnderTest.OPTIONS, () -> FakeCuFile.set(FakeCuFile.Option.BATCH_ENTRIES, 3));
    assertReadsAll();
    assertEquals(3, FakeCuFile.calls("cuFileBatchIOSubmit"));
    assertEquals(3, FakeCuFile.calls("cuFileBatchIODestroy"));
  }

  @Test
  void waitsForEntriesThatEndLater() throws IOException {
    FakeCuFile.set(FakeCuFile.Option.IDLE_POLLS, 5);
    FakeCuFile.set(FakeCuFile.Option.EVENTS_PER_POLL, 3);
    assertReadsAll();
    assertEquals(5 + 3, FakeCuFile.calls("cuFileBatchIOGetStatus"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4097, PIECE - 1})
  void readsTheRestOfEntriesThatGiveLess(int bytes) throws IOException {
    FakeCuFile.set(FakeCuFile.Option.FAILING_ENTRY, 4);
    FakeCuFile.set(FakeCuFile.Option.ENTRY_RESULT, bytes);
    assertReadsAll();
    assertEquals(1, FakeCuFile.calls("cuFileRead"));
  }

  @Test
  void namesTheErrorOfAnEntry() throws IOException {
    FakeCuFile.set(FakeCuFile.Option.FAILING_ENTRY, 4);
    FakeCuFile.set(FakeCuFile.Option.ENTRY_RESULT, -5);
    IOException e = failure();
    assertTrue(
        e.getMessage()
            .contains(PIECE + " bytes at " + 3 * PIECE + " of " + file + " into device memory"),
        e.getMessage());
    assertTrue(e.getMessage().endsWith("EIO (5)"), e.getMessage());
    assertReadsAll();
  }

  @Test
  void noticesThatTheFileWasCutBetweenSubmissionAndRead() throws IOException {
    assertReadsAll();
    Files.write(file, new byte[100_000]);
    IOException e = failure();
    assertEquals(EOFException.class, e.getClass());
    assertTrue(e.getMessage().contains("has been cut: " + file), e.getMessage());
  }

  @Test
  void readsOtherwiseWhatAnEntryRefuses() throws IOException {
    FakeCuFile.set(FakeCuFile.Option.FAILING_ENTRY, 2);
    FakeCuFile.set(FakeCuFile.Option.ENTRY_RESULT, -5049);
    assertReadsAll();
    assertEquals(PIECES, FakeCuFile.calls("cuFileRead"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuFileBatchIOSetUp", "cuFileBatchIOSubmit"})
  void readsOneAfterTheOtherWhenThereAreNoBatches(String call) throws IOException {
    FakeCuFile.fail(call, 1, 5037);
    assertReadsAll();
    assertEquals(PIECES, FakeCuFile.calls("cuFileRead"));
    assertReadsAll();
    assertEquals(PIECES, FakeCuFile.calls("cuFileRead"), "the next time there are");
  }

  @Test
  void asksAgainForAStatus() throws IOException {
    FakeCuFile.fail("cuFileBatchIOGetStatus", 1, 5041);
    assertReadsAll();
    assertEquals(2, FakeCuFile.calls("cuFileBatchIOGetStatus"));
  }

  @Test
  void cancelsABatchWhoseStatusFails() throws IOException {
    FakeCuFile.set(FakeCuFile.Option.FAILING_POLLS, 6);
    IOException e = failure();
    assertTrue(e.getMessage().contains("cuFileBatchIOGetStatus"), e.getMessage());
    assertEquals(1, FakeCuFile.calls("cuFileBatchIOCancel"));
    assertEquals(7, FakeCuFile.calls("cuFileBatchIOGetStatus"));
    assertReadsAll();
  }

  /** A batch without progress is cancelled, and its bytes are waited for until it says so. */
  @Test
  void endsBatchesThatMakeNoProgress() throws IOException {
    close();
    open(DeviceUnderTest.OPTIONS.withPatience(50), () -> {});
    FakeCuFile.set(FakeCuFile.Option.IDLE_POLLS, 1 << 30);
    IOException e = failure();
    assertTrue(e.getMessage().contains("have not ended within 50 ms"), e.getMessage());
    assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
    assertEquals(1, FakeCuFile.calls("cuFileBatchIOCancel"));
  }

  @Test
  void cancelsBatchesThatRun() throws Exception {
    FakeCuFile.set(FakeCuFile.Option.IDLE_POLLS, 1 << 30);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    PendingRead read = reader.start(List.of(new ByteRange(0, target, 0, LENGTH)), threads);
    while (FakeCuFile.calls("cuFileBatchIOGetStatus") == 0) {
      Thread.onSpinWait();
    }
    assertFalse(read.completion().isDone());
    read.cancel();
    assertThrows(CancellationException.class, () -> read.completion().get(20, TimeUnit.SECONDS));
    threads.shutdown();
    assertEquals(1, FakeCuFile.calls("cuFileBatchIOCancel"));
    FakeCuFile.set(FakeCuFile.Option.IDLE_POLLS, 0);
    assertReadsAll();
  }

  @Test
  void cancelsReadsThatHaveNotBegun() throws Exception {
    openWithoutBatches();
    List<Runnable> queued = new ArrayList<>();
    PendingRead read = reader.start(List.of(new ByteRange(0, target, 0, LENGTH)), queued::add);
    assertEquals(1, queued.size());
    read.cancel();
    assertThrows(CancellationException.class, () -> read.completion().get(0, TimeUnit.SECONDS));
    queued.forEach(Runnable::run);
    assertEquals(0, FakeCuFile.calls("cuFileHandleRegister"));
  }

  /** A read that the device makes is waited for: its target may not be freed before. */
  @Test
  void completesOnlyWhenTheDeviceIsWrittenToNoMore() throws Exception {
    openWithoutBatches();
    FakeDriver.stall("cuFakeDmaWrite", 1);
    ExecutorService threads = Executors.newFixedThreadPool(1);
    PendingRead read = reader.start(List.of(new ByteRange(0, target, 0, LENGTH)), threads);
    FakeDriver.awaitStalled();
    read.cancel();
    assertFalse(read.completion().isDone());
    FakeDriver.resume();
    try {
      read.completion().get(20, TimeUnit.SECONDS);
    } catch (CancellationException e) {
      assertTrue(FakeCuFile.calls("cuFileRead") < PIECES, "what has not begun is not read");
    }
    threads.shutdown();
  }

  @Test
  void theFirstFailureEndsTheOtherParts() throws Exception {
    openWithoutBatches();
    FakeCuFile.fail("cuFileRead", 1, 5);
    List<ByteRange> ranges = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ranges.add(new ByteRange(0, target, 0, LENGTH)); // two tasks of 4 MiB, and one
    }
    PendingRead read = reader.start(ranges, Runnable::run);
    ExecutionException e =
        assertThrows(ExecutionException.class, () -> read.completion().get(0, TimeUnit.SECONDS));
    assertTrue(e.getMessage().contains("EIO"), e.getMessage());
    assertEquals(1, FakeCuFile.calls("cuFileRead"));
  }
}
