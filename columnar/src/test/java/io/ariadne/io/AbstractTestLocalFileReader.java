package io.ariadne.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.TestingAllocator;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every reader of local files does. Each subclass has one way to open them. */
public abstract class AbstractTestLocalFileReader {
  private static final int LENGTH = 300_000;

  /** A folder of the test's own. */
  @TempDir protected Path folder;

  /** Opens a file; the test closes the reader. */
  protected abstract ByteRangeReader open(Path file) throws IOException;

  private byte[] bytes(Path file) throws IOException {
    byte[] bytes = new byte[LENGTH];
    new Random(7).nextBytes(bytes);
    Files.write(file, bytes);
    return bytes;
  }

  @Test
  void readsRanges() throws IOException {
    Path file = folder.resolve("ranges");
    byte[] expected = bytes(file);
    TestingAllocator allocator = new TestingAllocator();
    Random random = new Random(11);
    try (ByteRangeReader reader = open(file);
        MemoryBuffer target = allocator.allocate(LENGTH + 100)) {
      assertEquals(LENGTH, reader.lengthInBytes());
      for (int i = 0; i < 200; i++) {
        int from = random.nextInt(LENGTH);
        int length = random.nextInt(LENGTH - from + 1);
        int offset = random.nextInt(100);
        reader.read(from, target, offset, length);
        byte[] actual = new byte[length];
        target.getBytes(offset, actual, 0, length);
        assertArrayEquals(Arrays.copyOfRange(expected, from, from + length), actual);
      }
      reader.read(LENGTH, target, 0, 0);
    }
    assertEquals(0, allocator.allocatedBytes());
  }

  @Test
  void knowsTheFileThatWasOpened() throws IOException {
    Path file = folder.resolve("known");
    bytes(file);
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_500_000_000_123L));
    try (ByteRangeReader reader = open(file)) {
      Files.delete(file);
      Files.write(file, new byte[3]);
      assertEquals(LENGTH, reader.lengthInBytes());
      assertEquals(1_500_000_000_123L, reader.modificationTimeMillis());
    }
  }

  @Test
  void refusesRangesOutsideTheFile() throws IOException {
    Path file = folder.resolve("outside");
    bytes(file);
    TestingAllocator allocator = new TestingAllocator();
    try (ByteRangeReader reader = open(file);
        MemoryBuffer target = allocator.allocate(64)) {
      assertMessage(assertThrows(EOFException.class, () -> reader.read(-1, target, 0, 1)));
      assertMessage(assertThrows(EOFException.class, () -> reader.read(LENGTH - 3, target, 0, 4)));
      assertMessage(
          assertThrows(EOFException.class, () -> reader.read(Long.MAX_VALUE, target, 0, 2)));
      assertThrows(IndexOutOfBoundsException.class, () -> reader.read(0, target, 60, 5));
      assertThrows(IndexOutOfBoundsException.class, () -> reader.read(0, target, 0, 65));
    }
  }

  private static void assertMessage(IOException e) {
    assertTrue(e.getMessage().contains("outside"), e.getMessage());
  }

  @Test
  void namesAFileWithoutPermission() throws IOException {
    Path file = folder.resolve("forbidden");
    bytes(file);
    Files.setPosixFilePermissions(file, Set.of());
    Assumptions.assumeFalse(Files.isReadable(file), "the superuser may read everything");
    AccessDeniedException e = assertThrows(AccessDeniedException.class, () -> open(file));
    assertTrue(e.getMessage().contains("forbidden"), e.getMessage());
  }

  @Test
  void readsAFileWhoseNameIsNotAscii() throws IOException {
    Path file;
    try {
      file = folder.resolve("gr\u00f6\u00dfe 100%25 \u4e2d.bin");
    } catch (InvalidPathException e) {
      Assumptions.abort("the locale has no such names");
      return;
    }
    byte[] expected = bytes(file);
    TestingAllocator allocator = new TestingAllocator();
    try (ByteRangeReader reader = open(file);
        MemoryBuffer target = allocator.allocate(LENGTH)) {
      reader.read(0, target, 0, LENGTH);
      byte[] actual = new byte[LENGTH];
      target.getBytes(0, actual, 0, LENGTH);
      assertArrayEquals(expected, actual);
    }
  }

  @Test
  void namesAMissingFile() {
    Path file = folder.resolve("nothing");
    NoSuchFileException e = assertThrows(NoSuchFileException.class, () -> open(file));
    assertTrue(e.getMessage().contains("nothing"), e.getMessage());
  }

  @Test
  void readsAnEmptyFile() throws IOException {
    Path file = Files.createFile(folder.resolve("empty"));
    TestingAllocator allocator = new TestingAllocator();
    try (ByteRangeReader reader = open(file);
        MemoryBuffer target = allocator.allocate(64)) {
      assertEquals(0, reader.lengthInBytes());
      reader.read(0, target, 0, 0);
      assertThrows(EOFException.class, () -> reader.read(0, target, 0, 1));
    }
  }

  @Test
  void failsAfterClose() throws IOException {
    Path file = folder.resolve("closed");
    bytes(file);
    TestingAllocator allocator = new TestingAllocator();
    ByteRangeReader reader = open(file);
    reader.close();
    try (MemoryBuffer target = allocator.allocate(64)) {
      assertThrows(ClosedChannelException.class, () -> reader.read(0, target, 0, 1));
    }
  }

  @Test
  void noticesATruncatedFile() throws IOException {
    Path file = folder.resolve("cut");
    bytes(file);
    TestingAllocator allocator = new TestingAllocator();
    try (ByteRangeReader reader = open(file);
        MemoryBuffer target = allocator.allocate(LENGTH)) {
      Files.write(file, new byte[10]);
      EOFException e = assertThrows(EOFException.class, () -> reader.read(0, target, 0, LENGTH));
      assertTrue(e.getMessage().contains("byte 10"), e.getMessage());
    }
  }
}
