package io.ariadne.columnar.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.error.EngineException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TestBuffers {
  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @Test
  void accessorsReachTheCapacityAndNotBeyond() {
    try (MemoryBuffer buffer = memory.allocator().allocate(10)) {
      assertEquals(64, buffer.capacityInBytes());
      buffer.putLong(56, Long.MIN_VALUE);
      buffer.putInt(0, -1);
      buffer.putShort(4, (short) 258);
      buffer.putByte(6, (byte) 9);
      buffer.putDouble(8, -0.0);
      buffer.putFloat(16, Float.MIN_VALUE);
      buffer.putBytes(20, new byte[] {1, 2, 3}, 1, 2);
      byte[] bytes = new byte[3];
      buffer.getBytes(20, bytes, 1, 2);
      assertArrayEquals(new byte[] {0, 2, 3}, bytes);
      assertEquals(Long.MIN_VALUE, buffer.getLong(56));
      assertEquals(-1, buffer.getInt(0));
      assertEquals(258, buffer.getShort(4));
      assertEquals(9, buffer.getByte(6));
      assertEquals(Double.doubleToRawLongBits(-0.0), buffer.getLong(8));
      assertEquals(Float.MIN_VALUE, buffer.getFloat(16));
      assertThrows(IndexOutOfBoundsException.class, () -> buffer.getLong(57));
      assertThrows(IndexOutOfBoundsException.class, () -> buffer.getByte(-1));
      assertThrows(IndexOutOfBoundsException.class, () -> buffer.getByte(Long.MAX_VALUE));
      assertThrows(IndexOutOfBoundsException.class, () -> buffer.getBytes(0, bytes, 2, 2));
    }
  }

  @Test
  void closedBufferRefusesEverything() {
    MemoryBuffer buffer = memory.allocator().allocate(8);
    assertFalse(buffer.isClosed());
    buffer.close();
    assertTrue(buffer.isClosed());
    assertThrows(IllegalStateException.class, () -> buffer.getByte(0));
    assertThrows(IllegalStateException.class, buffer::address);
    assertThrows(IllegalStateException.class, buffer::close);
    assertThrows(IllegalStateException.class, () -> buffer.withLength(1));
  }

  @Test
  void hostMayNotReadDeviceMemory() {
    MemoryBuffer buffer = new MemoryBuffer(4096, 64, 64, MemoryTier.DEVICE, freed -> {});
    assertThrows(IllegalStateException.class, () -> buffer.getByte(0));
    assertThrows(IllegalStateException.class, buffer::fillZero);
    buffer.close();
  }

  @Test
  void lastReleaseFreesASharedBuffer() {
    SharedBuffer shared = new SharedBuffer(memory.allocator().allocate(100));
    assertEquals(2, shared.retain().holderCount());
    shared.release();
    assertEquals(128, memory.allocator().allocatedBytes());
    shared.release();
    assertEquals(0, memory.allocator().allocatedBytes());
    assertThrows(IllegalStateException.class, shared::retain);
    assertThrows(IllegalStateException.class, shared::release);
  }

  @Test
  void sharedBufferIsFreedOnceByManyThreads() throws Exception {
    for (int round = 0; round < 200; round++) {
      SharedBuffer shared = new SharedBuffer(memory.allocator().allocate(64));
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        shared.retain();
        threads.add(
            new Thread(
                () -> {
                  shared.retain();
                  shared.release();
                  shared.release();
                }));
      }
      threads.forEach(Thread::start);
      shared.release();
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(0, memory.allocator().openBufferCount());
    }
  }

  @Test
  void refusesToRetainAFreedBuffer() throws Exception {
    SharedBuffer freed = new SharedBuffer(memory.allocator().allocate(64));
    freed.release();
    AtomicInteger retained = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      threads.add(
          new Thread(
              () -> {
                for (int attempt = 0; attempt < 1_000_000; attempt++) {
                  try {
                    freed.retain();
                    retained.incrementAndGet();
                  } catch (IllegalStateException expected) {
                    assertTrue(expected.getMessage().contains("retain"));
                  }
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(0, retained.get());
  }

  @Test
  void closerClosesAllAndThrowsTheFirstFailure() {
    List<String> closed = new ArrayList<>();
    Closer closer = new Closer();
    closer.close(null);
    closer.rethrow();
    closer.close(() -> closed.add("a"));
    closer.close(
        () -> {
          throw new IOException("checked");
        });
    closer.close(
        () -> {
          throw new AssertionError("second");
        });
    closer.close(() -> closed.add("b"));
    IllegalStateException thrown = assertThrows(IllegalStateException.class, closer::rethrow);
    assertEquals("checked", thrown.getCause().getMessage());
    assertEquals("second", thrown.getCause().getSuppressed()[0].getMessage());
    assertEquals(List.of("a", "b"), closed);
    RuntimeException earlier = new RuntimeException("earlier");
    closer.suppressIn(earlier);
    assertEquals("checked", earlier.getSuppressed()[0].getMessage());
  }

  @Test
  void bitmapsAgreeWithBitSet() {
    Random random = new Random(11);
    try (MemoryBuffer source = memory.allocator().allocateZeroed(64);
        MemoryBuffer target = memory.allocator().allocate(64)) {
      BitSet bits = new BitSet();
      for (int bit = 0; bit < 512; bit++) {
        if (random.nextBoolean()) {
          bits.set(bit);
          Bitmaps.set(source.address(), bit);
        }
      }
      for (int first = 0; first < 70; first++) {
        for (int count : new int[] {0, 1, 7, 8, 9, 63, 64, 65, 200, 512 - first}) {
          Bitmaps.copy(source.address(), first, target.address(), count);
          BitSet expected = bits.get(first, first + count);
          assertEquals(expected.cardinality(), Bitmaps.countSet(target.address(), count));
          for (int bit = 0; bit < (count + 7) / 8 * 8; bit++) {
            assertEquals(expected.get(bit), Bitmaps.isSet(target.address(), bit));
          }
        }
      }
    }
  }

  @Test
  void copiesElementsOfArrays() {
    try (MemoryBuffer buffer = memory.allocator().allocate(64)) {
      Memory.copyElements(new int[] {1, 2, 3, 4}, 1, buffer.address(), 3);
      assertEquals(2, buffer.getInt(0));
      assertEquals(4, buffer.getInt(8));
      Memory.copyElements(new double[] {1.5}, 0, buffer.address() + 16, 1);
      assertEquals(1.5, buffer.getDouble(16));
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> Memory.copyElements(new int[] {1}, 0, buffer.address(), 2));
    }
  }

  @Test
  void testingAllocatorFindsLeaksAndHonoursItsLimit() {
    TestingAllocator allocator = new TestingAllocator(128);
    MemoryBuffer buffer = allocator.allocate(65);
    assertThrows(EngineException.class, () -> allocator.allocate(1));
    assertEquals(128, allocator.allocatedBytes());
    AssertionError leak = assertThrows(AssertionError.class, allocator::assertNothingOpen);
    assertTrue(leak.getMessage().contains("TestBuffers.testingAllocator"), leak.getMessage());
    buffer.close();
    allocator.assertNothingOpen();
  }
}
