package io.ariadne.shuffle.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes are read as they were written, on the heap or in a file; many bytes go to the file. */
class TestHeapOrFileOutput {
  private static final int MOST_ON_HEAP = 1000;

  @TempDir private Path folder;

  private final HeapBudget budget = new HeapBudget(3 * MOST_ON_HEAP);

  @AfterEach
  void assertNothingIsReserved() {
    assertEquals(0, budget.usedBytes());
  }

  @Test
  void keepsFewBytesOnTheHeap() throws IOException {
    HeapOrFileOutput out = new HeapOrFileOutput(MOST_ON_HEAP, budget, TestHeapOrFileOutput::noFile);
    byte[] bytes = bytes(MOST_ON_HEAP);
    out.write(bytes[0]);
    out.write(bytes, 1, MOST_ON_HEAP - 1);
    out.flush();
    out.close();
    assertNull(out.file());
    assertEquals(ByteBuffer.wrap(bytes), out.bytesOnHeap());
    assertEquals(MOST_ON_HEAP, budget.usedBytes());
    out.free();
    out.free();
    assertThrows(IllegalStateException.class, out::bytesOnHeap);
  }

  /** Other streams use the whole budget: the first byte goes to the file. */
  @Test
  void writesToTheFileWhenTheBudgetIsUsed() throws IOException {
    List<HeapOrFileOutput> onHeap = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      HeapOrFileOutput out =
          new HeapOrFileOutput(MOST_ON_HEAP, budget, TestHeapOrFileOutput::noFile);
      out.write(bytes(500));
      onHeap.add(out);
    }
    File file = folder.resolve("bytes").toFile();
    try (HeapOrFileOutput out = new HeapOrFileOutput(MOST_ON_HEAP, budget, () -> file)) {
      out.write(1);
      assertEquals(file, out.file());
      assertEquals(3 * MOST_ON_HEAP, budget.usedBytes());
      onHeap.forEach(HeapOrFileOutput::free);
      out.write(2);
    }
    assertArrayEquals(new byte[] {1, 2}, Files.readAllBytes(file.toPath()));
  }

  /** The bytes grow beyond the budget: all of them move to the file. */
  @Test
  void movesGrowingBytesToTheFileBeyondTheBudget() throws IOException {
    HeapBudget large = new HeapBudget(20_000);
    File file = folder.resolve("bytes").toFile();
    byte[] bytes = bytes(20_000);
    try (HeapOrFileOutput out = new HeapOrFileOutput(1 << 20, large, () -> file)) {
      out.write(bytes, 0, 8000);
      assertEquals(8192, large.usedBytes());
      out.write(bytes, 8000, 8000);
      assertEquals(16_384, large.usedBytes());
      out.write(bytes, 16_000, 4000);
      assertEquals(0, large.usedBytes());
    }
    assertArrayEquals(bytes, Files.readAllBytes(file.toPath()));
  }

  @Test
  void movesManyBytesToTheFile() throws IOException {
    File file = folder.resolve("bytes").toFile();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    HeapOrFileOutput out = new HeapOrFileOutput(MOST_ON_HEAP, budget, () -> file);
    try (out) {
      for (int length : new int[] {0, 1, 998, 1, 1, 20_000, 0, 7}) {
        byte[] bytes = bytes(length + 2);
        out.write(bytes, 1, length);
        expected.writeBytes(Arrays.copyOfRange(bytes, 1, 1 + length));
        out.flush();
        assertEquals(expected.size() > MOST_ON_HEAP, out.file() != null);
      }
    }
    assertArrayEquals(expected.toByteArray(), Files.readAllBytes(file.toPath()));
    assertThrows(IllegalStateException.class, out::bytesOnHeap);
  }

  private static File noFile() {
    throw new IllegalStateException("few bytes need no file");
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }
}
