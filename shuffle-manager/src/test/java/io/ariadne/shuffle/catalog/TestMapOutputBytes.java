package io.ariadne.shuffle.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.spill.PresenceWatcher;
import io.ariadne.spill.PresenceWatcher.Presence;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Running sums are what adding up all batches gives. */
class TestMapOutputBytes {
  private static final int SHUFFLES = 3;

  private final MapOutputBytes bytes = new MapOutputBytes();

  /** A batch that is not there. */
  private static final class Batch {
    final int shuffleId;
    final long size;
    final boolean isUncut;
    final PresenceWatcher share;
    Presence presence = Presence.AWAY;

    Batch(MapOutputBytes bytes, Random random) {
      this.shuffleId = random.nextInt(SHUFFLES);
      this.size = random.nextInt(5); // also none
      this.isUncut = random.nextBoolean();
      this.share = bytes.shareOf(shuffleId, size, isUncut);
    }

    void become(Presence next) {
      share.became(next);
      presence = next;
    }
  }

  private static Presence any(Random random) {
    return Presence.values()[random.nextInt(Presence.values().length)];
  }

  private void check(List<Batch> batches) {
    long inMemory = 0;
    long uncut = 0;
    long[] movable = new long[SHUFFLES];
    long allMovable = 0;
    for (Batch batch : batches) {
      boolean isIn = batch.presence != Presence.AWAY;
      inMemory += isIn ? batch.size : 0;
      uncut += isIn && batch.isUncut ? batch.size : 0;
      long free = batch.presence == Presence.MOVABLE ? batch.size : 0;
      movable[batch.shuffleId] += free;
      allMovable += free;
    }
    assertEquals(inMemory, bytes.inMemory());
    assertEquals(uncut, bytes.uncutInMemory());
    assertEquals(allMovable, bytes.movable());
    int withMovable = 0;
    for (int i = 0; i < SHUFFLES; i++) {
      assertEquals(allMovable - movable[i], bytes.movableOfOthers(i));
      withMovable += movable[i] > 0 ? 1 : 0;
    }
    assertEquals(withMovable, bytes.movableShuffles(), "shuffles are remembered without need");
  }

  @Test
  void sumsAreThoseOfAllBatches() {
    Random random = new Random(5);
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      batches.add(new Batch(bytes, random));
    }
    for (int step = 0; step < 2000; step++) {
      batches.get(random.nextInt(batches.size())).become(any(random));
      check(batches);
    }
    batches.forEach(batch -> batch.become(Presence.AWAY));
    check(batches);
  }

  /** Threads with batches of their own and shuffles in common. */
  @Test
  void sumsAreExactWithSeveralThreads() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Batch> batches = new ArrayList<>();
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Random random = new Random(i);
        Batch batch = new Batch(bytes, random);
        batches.add(batch);
        running.add(
            threads.submit(
                () -> {
                  for (int step = 0; step < 20_000; step++) {
                    batch.become(any(random));
                  }
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      threads.shutdown();
    }
    check(batches);
  }
}
