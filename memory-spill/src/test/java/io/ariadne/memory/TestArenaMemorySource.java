package io.ariadne.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TestArenaMemorySource {
  private static final long SEED = Long.getLong("ariadne.test.seed", System.nanoTime());
  private static final long LIMIT = 1 << 20;

  private final CountingSource source = new CountingSource();

  @AfterEach
  void everythingIsGivenBack() {
    assertEquals(0, source.out.get());
  }

  private ArenaMemorySource arena() {
    return new ArenaMemorySource(source, LIMIT, true);
  }

  @Test
  void takesItsMemoryOnce() {
    try (ArenaMemorySource arena = arena()) {
      assertEquals(0, arena.sizeInBytes());
      for (int i = 0; i < 100_000; i++) {
        long first = arena.allocate(64);
        long second = arena.allocate(4096);
        arena.free(first, 64);
        arena.free(second, 4096);
      }
      assertEquals(1, source.requests.get());
      assertEquals(LIMIT, arena.sizeInBytes());
      assertEquals(
          "0 of 1048576 bytes in use, largest free block 1048576 bytes, regions: 1",
          arena.toString());
    }
  }

  @Test
  void takesLessWhereTheSourceHasLess() {
    source.refusals.set(2);
    try (ArenaMemorySource arena = arena()) {
      long small = arena.allocate(64);
      assertEquals(LIMIT * 49 / 64, arena.sizeInBytes());
      // The rest of the limit is asked for when it is needed.
      long first = arena.allocate(LIMIT * 3 / 4);
      long second = arena.allocate(LIMIT / 8);
      assertEquals(LIMIT, arena.sizeInBytes());
      assertEquals(0, arena.allocate(LIMIT / 4));
      assertEquals(4, source.requests.get());
      arena.free(small, 64);
      arena.free(first, LIMIT * 3 / 4);
      arena.free(second, LIMIT / 8);
    }
  }

  @Test
  void asksForTheRequestAtLeast() {
    source.refusals.set(1);
    try (ArenaMemorySource arena = arena()) {
      long most = arena.allocate(LIMIT - 512);
      assertNotEquals(0, most);
      assertEquals(LIMIT - 512, arena.sizeInBytes());
      arena.free(most, LIMIT - 512);
    }
    source.exhausted = true;
    try (ArenaMemorySource arena = arena()) {
      assertEquals(0, arena.allocate(64));
      assertEquals(0, arena.allocate(LIMIT + 256));
      source.exhausted = false;
      long address = arena.allocate(64);
      while (address == 0) { // the source is not asked again at once
        address = arena.allocate(64);
      }
      arena.free(address, 64);
    }
  }

  @Test
  void takesFurtherRegionsAsTheFirstOne() {
    source.refusals.set(2);
    try (ArenaMemorySource arena = arena()) {
      long first = arena.allocate(LIMIT * 5 / 8);
      source.refusals.set(1);
      long second = arena.allocate(LIMIT * 3 / 16);
      assertNotEquals(0, second);
      assertEquals(LIMIT * 49 / 64 + LIMIT * 15 / 64 * 7 / 8, arena.sizeInBytes());
      assertEquals("", arena.fragments(LIMIT / 4));
      arena.free(first, LIMIT * 5 / 8);
      arena.free(second, LIMIT * 3 / 16);
      // So many bytes are free, but not in one piece.
      assertTrue(arena.fragments(LIMIT * 15 / 16).contains("regions: 2"));
      assertEquals("", arena.fragments(LIMIT));
    }
  }

  /** However little the driver has, and however short the requests are. */
  @Test
  void regionsAreFew() {
    source.mostOut = LIMIT * 3 / 4 - 1000;
    List<Long> blocks = new ArrayList<>();
    try (ArenaMemorySource arena = arena()) {
      for (long address = arena.allocate(64); address != 0; address = arena.allocate(64)) {
        blocks.add(address);
      }
      assertTrue(arena.sizeInBytes() > source.mostOut - LIMIT / 64, arena::toString);
      assertTrue(arena.toString().matches(".*regions: \\d"), arena::toString);
      blocks.forEach(address -> arena.free(address, 64));
    }
  }

  @Test
  void refusesRequestsOnceItIsClosed() {
    ArenaMemorySource arena = arena();
    arena.free(arena.allocate(64), 64);
    arena.close();
    assertThrows(IllegalStateException.class, () -> arena.allocate(64));
    arena.close();
  }

  @Test
  void asksARefusingSourceSeldom() {
    source.exhausted = true;
    try (ArenaMemorySource arena = arena()) {
      assertEquals(0, arena.allocate(64));
      long requests = source.requests.get();
      assertTrue(requests < 80, requests + " requests");
      long start = System.nanoTime();
      for (int i = 0; i < 10_000; i++) {
        assertEquals(0, arena.allocate(64));
      }
      long refusals = 2 + (System.nanoTime() - start) / TimeUnit.MILLISECONDS.toNanos(10);
      assertTrue(source.requests.get() <= requests * refusals, source.requests + " requests");
    }
  }

  @Test
  void memoryIsOverwrittenBeforeItIsGivenOut() {
    try (ArenaMemorySource arena = arena()) {
      long address = arena.allocate(128);
      assertEquals((byte) 0xA5, Memory.getByte(address + 127));
      arena.fill(address, 128, (byte) 7);
      arena.free(address, 128);
      assertEquals(address, arena.allocate(64));
      assertEquals((byte) 0xA5, Memory.getByte(address));
      assertEquals((byte) 7, Memory.getByte(address + 64));
      arena.free(address, 64);
    }
  }

  @Test
  void keepsRegionsInUseWhenItIsClosed() {
    source.refusals.set(6);
    ArenaMemorySource arena = arena();
    long first = arena.allocate(64);
    long regionBytes = arena.sizeInBytes();
    assertTrue(regionBytes < LIMIT / 2, regionBytes + " bytes");
    long second = arena.allocate(LIMIT / 2);
    arena.free(second, LIMIT / 2);
    EngineException refused = assertThrows(EngineException.class, arena::close);
    assertEquals(ErrorCode.INTERNAL, refused.code());
    assertTrue(refused.getMessage().startsWith("256 bytes of HOST memory"), refused.getMessage());
    assertEquals(regionBytes, source.out.get());
    arena.free(first, 64);
    arena.close();
  }

  /** Threads write to their blocks, and find what they have written. */
  @Test
  void threadsNeverShareMemory() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (ArenaMemorySource arena = arena()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Random random = new Random(SEED + i);
        byte mark = (byte) (i + 1);
        all.add(threads.submit(() -> useBlocks(arena, random, mark)));
      }
      for (Future<?> each : all) {
        each.get();
      }
      assertEquals(1, source.requests.get());
    } finally {
      threads.shutdownNow();
    }
  }

  private record Block(long address, long bytes) {}

  private static void useBlocks(ArenaMemorySource arena, Random random, byte mark) {
    Deque<Block> blocks = new ArrayDeque<>();
    for (int step = 0; step < 20_000; step++) {
      if (blocks.size() < 16) {
        long bytes = 64L * (1 + random.nextInt(100));
        long address = arena.allocate(bytes);
        assertNotEquals(0, address);
        Memory.fill(address, bytes, mark);
        blocks.add(new Block(address, bytes));
      }
      if (random.nextBoolean()) {
        freeChecked(arena, blocks.poll(), mark);
      }
    }
    blocks.forEach(block -> freeChecked(arena, block, mark));
  }

  private static void freeChecked(ArenaMemorySource arena, Block block, byte mark) {
    if (block != null) {
      for (long offset = 0; offset < block.bytes(); offset += 64) {
        assertEquals(mark, Memory.getByte(block.address() + offset), "seed " + SEED);
      }
      arena.free(block.address(), block.bytes());
    }
  }
}
