package io.ariadne.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.WaitKind;
import io.ariadne.memory.PagePool.Page;
import io.ariadne.memory.testing.Await;
import io.ariadne.memory.testing.PoolCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TestPagePool {
  private static final int PAGE = 8192;

  @RegisterExtension final PoolCheck memory = new PoolCheck(1 << 20);

  @Test
  void growsUpToItsLimit() {
    try (PagePool pages = new PagePool(memory.pool(), PAGE, 1, 4)) {
      assertEquals(1, pages.pageCount());
      List<Page> three = pages.take(3, 0);
      assertEquals(3, pages.pageCount());
      EngineException refused = assertThrows(EngineException.class, () -> pages.take(2, 20));
      assertEquals(ErrorCode.OUT_OF_MEMORY, refused.code());
      assertTrue(refused.getMessage().contains("3 of 3 are lent"), refused.getMessage());
      three.forEach(page -> assertEquals(0, page.address() % PagePool.PAGE_ALIGNMENT));
      pages.giveBack(three);
      assertThrows(IllegalStateException.class, () -> pages.giveBack(three));
      pages.giveBack(pages.take(4, 0));
    }
  }

  /** The memory pool has no memory for more pages: threads wait for pages to be given back. */
  @Test
  void waitsForPagesWhenMemoryIsFull() throws Exception {
    MemoryPool small = memory.pool().newChild("small", 2 * (PAGE + PagePool.PAGE_ALIGNMENT));
    try (PagePool pages = new PagePool(small, PAGE, 2, 100)) {
      List<Page> both = pages.take(2, 0);
      Thread other = new Thread(() -> pages.giveBack(pages.take(2, 10_000)));
      other.start();
      Await.untilWaiting(1, each -> each.kind() == WaitKind.PAGES);
      pages.giveBack(both);
      other.join(10_000);
      assertEquals(0, pages.lentPages());
    }
    assertThrows(EngineException.class, () -> new PagePool(small, PAGE, 3, 3));
    assertEquals(0, small.allocatedBytes());
    small.close();
  }

  /** New pages replace retired ones, also for waiting threads. */
  @Test
  void retiredPagesAreReplaced() throws Exception {
    try (PagePool pages = new PagePool(memory.pool(), PAGE, 0, 2)) {
      List<Page> both = pages.take(2, 0);
      Thread other = new Thread(() -> pages.giveBack(pages.take(2, 10_000)));
      other.start();
      pages.retire(both);
      other.join(10_000);
      assertEquals(2, pages.pageCount());
      assertEquals(0, pages.lentPages());
      assertThrows(IllegalStateException.class, () -> pages.retire(both));
      assertThrows(IllegalStateException.class, () -> pages.giveBack(both));
    }
  }

  /** Pages that are lent when the pool closes are freed when they come back. */
  @Test
  void freesLentPagesOfAClosedPool() {
    PagePool pages = new PagePool(memory.pool(), PAGE, 0, 2);
    List<Page> lent = pages.take(1, 0);
    assertThrows(IllegalStateException.class, pages::close);
    assertThrows(IllegalStateException.class, () -> pages.take(1, 0));
    pages.giveBack(lent);
    assertEquals(0, pages.pageCount());
  }

  /** Large requests are not starved by small ones; interrupts end no wait. */
  @Test
  void worksWithManyThreads() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(5);
    AtomicInteger done = new AtomicInteger();
    try (PagePool pages = new PagePool(memory.pool(), PAGE, 1, 5)) {
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < 5; t++) {
        Random random = new Random(t);
        all.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 300; i++) {
                    if (random.nextInt(5) == 0) {
                      Thread.currentThread().interrupt();
                    }
                    List<Page> taken = pages.take(1 + random.nextInt(5), 10_000);
                    taken.forEach(page -> assertTrue(page.address() > 0));
                    pages.giveBack(taken);
                    Thread.interrupted();
                    done.incrementAndGet();
                  }
                }));
      }
      for (Future<?> each : all) {
        each.get();
      }
      assertEquals(5 * 300, done.get());
      assertTrue(pages.pageCount() <= 5);
    } finally {
      threads.shutdown();
    }
  }
}
