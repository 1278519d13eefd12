package io.ariadne.bridge.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import org.apache.spark.rdd.InputFileBlockHolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that batches keep their files while a later file is read. */
class TestInputFiles {
  private final InputFiles files = new InputFiles();

  @AfterEach
  void unset() {
    InputFileBlockHolder.unset();
  }

  @Test
  void batchesHaveTheirFilesOnAnyThread() {
    readTwoFiles();
    assertEquals("a 0", onAnotherThread(0));
    assertEquals("a 0", onAnotherThread(1));
    assertEquals("b 7", onAnotherThread(2));
    assertEquals("b 7", onAnotherThread(9));
    assertEquals("a 0", files.with(0, TestInputFiles::file));
    assertEquals("b 7", file(), "the reading thread's own holder");
  }

  @Test
  void holderIsRestoredAfterAFailure() {
    readTwoFiles();
    assertThrows(
        IllegalStateException.class,
        () ->
            files.with(
                0,
                () -> {
                  throw new IllegalStateException(file());
                }));
    assertEquals("b 7", file());
  }

  @Test
  void readerKeepsItsHolder() {
    readTwoFiles();
    files.with(0, TestInputFiles::file);
    InputFileBlockHolder.set("c", 1, 2);
    assertTrue(files.readsAnotherFile(2));
    files.begin(3);
    assertEquals("c 1", onAnotherThread(3));
  }

  @Test
  void recordsNothingUnlessCodeMayAsk() {
    InputFileBlockHolder.set("a", 0, 10);
    files.begin(0);
    InputFileBlockHolder.set("b", 0, 10);
    assertFalse(files.readsAnotherFile(0));
    assertEquals("b 0", files.with(0, TestInputFiles::file));
  }

  @Test
  void outputNamesTheFileOfItsBatchWhileReadingContinues() {
    readTwoFiles();
    files.nameOutput(1);
    assertEquals("a 0", file());
    files.resumeReading();
    assertEquals("b 7", file(), "the reader's holder");
    files.resumeReading();
    assertEquals("b 7", file());
    files.nameOutput(2);
    assertEquals("b 7", file());
  }

  @Test
  void recordsFilesThatAriadneReads() {
    files.place(0, "a", 3, 10);
    files.nameOutput(0);
    assertEquals(" -1", file(), "no code may ask");
    files.ask();
    files.place(0, "a", 3, 10);
    files.place(1, "b", 0, 5);
    assertEquals("b 0", onAnotherThread(1));
    files.nameOutput(0);
    assertEquals("a 3", file());
    files.resumeReading();
    assertEquals(" -1", file());
  }

  private void readTwoFiles() {
    files.ask();
    InputFileBlockHolder.set("a", 0, 10);
    files.begin(0);
    assertFalse(files.readsAnotherFile(0));
    files.begin(1);
    InputFileBlockHolder.set("b", 7, 10);
    assertTrue(files.readsAnotherFile(1));
    files.begin(2);
  }

  private String onAnotherThread(long sequence) {
    return CompletableFuture.supplyAsync(() -> files.with(sequence, TestInputFiles::file)).join();
  }

  private static String file() {
    return InputFileBlockHolder.getInputFilePath() + " " + InputFileBlockHolder.getStartOffset();
  }
}
