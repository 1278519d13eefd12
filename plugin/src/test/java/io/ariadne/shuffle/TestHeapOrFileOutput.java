package io.ariadne.shuffle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes come out as they went in, wherever they are; many leave the heap. */
class TestHeapOrFileOutput {
  private static final int MOST_ON_HEAP = 1000;

  @TempDir private Path folder;

  @Test
  void testFewBytesStayOnTheHeap() throws IOException {
    HeapOrFileOutput out = new HeapOrFileOutput(MOST_ON_HEAP, TestHeapOrFileOutput::noFile);
    byte[] bytes = bytes(MOST_ON_HEAP);
    out.write(bytes[0]);
    out.write(bytes, 1, MOST_ON_HEAP - 1);
    out.flush();
    out.close();
    assertNull(out.file());
    assertArrayEquals(bytes, out.bytesOnHeap());
  }

  @Test
  void testManyBytesGoToTheFile() throws IOException {
    File file = folder.resolve("bytes").toFile();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    HeapOrFileOutput out = new HeapOrFileOutput(MOST_ON_HEAP, () -> file);
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
