package io.ariadne.operator.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Drivers that join pairs, repartition them, and wait for each other: every state that two or three
 * of them can come to, one step of one of them at a time.
 */
class TestSpilledPartitionPairs {
  /** Build rows of a pair of the first level, and at most in memory together. */
  private static final int ROWS = 4;

  /** Drivers and their shared state, after some steps. */
  private static final class World {
    private final SpilledPartitionPairs pairs;
    private final int dividesFrom;
    private final Deque<Integer> pending = new ArrayDeque<>();
    private int joinedRows;
    private long heldRows;
    private int holders;

    World(int partitions, int dividesFrom, long mostRows) {
      this.dividesFrom = dividesFrom;
      List<SpilledPartition> build = SpilledPartition.partitions();
      for (int i = 0; i < partitions; i++) {
        note(build.get(i), ROWS);
        pending.add(ROWS);
      }
      this.pairs =
          new SpilledPartitionPairs(
              JoinKind.INNER,
              build,
              (1L << partitions) - 1,
              new SpilledPartitionPairs.Account(mostRows, pair -> pair.build().rowCount()));
    }

    private static void note(SpilledPartition rows, int count) {
      for (int i = 0; i < count; i++) {
        rows.note(i);
      }
    }

    void take(SpilledPartitionPairs.Share share, long mostRows) {
      assertEquals((int) pending.remove(), share.pair().build().rowCount());
      holders++;
      heldRows += share.bytes();
      assertTrue(holders == 1 || heldRows <= mostRows, "more than there is memory for");
    }

    void giveBack(SpilledPartitionPairs.Share share) {
      holders--;
      heldRows -= share.bytes();
      pairs.back(share);
    }

    void addHalf(SpilledPartitionPairs.Share share) {
      SpilledPartition build = new SpilledPartition();
      SpilledPartition probe = new SpilledPartition();
      note(build, (int) share.pair().build().rowCount() / 2);
      note(probe, 1);
      pending.add((int) build.rowCount());
      pairs.addPair(new SpilledPartitionPair(build, probe));
    }

    @Override
    public String toString() {
      return pending + " " + joinedRows;
    }
  }

  /** A driver, as {@link JoinOperator} runs it, but in steps. */
  private static final class Lane {
    private final World world;
    private final long mostRows;
    private boolean hasEnded;
    private SpilledPartitionPairs.Share share;
    private int halves;
    private boolean isOver;
    private CompletableFuture<Void> wait = CompletableFuture.completedFuture(null);

    Lane(World world, long mostRows) {
      this.world = world;
      this.mostRows = mostRows;
      world.pairs.begin();
    }

    boolean mayStep() {
      return !isOver && wait.isDone();
    }

    void step() {
      if (!hasEnded) {
        hasEnded = true;
        world.pairs.end(target -> target.forEach(rows -> rows.note(1)));
      } else if (share == null) {
        look();
      } else if (share.pair().build().rowCount() >= world.dividesFrom && halves < 2) {
        halves++;
        world.addHalf(share);
      } else {
        if (halves == 0) {
          world.joinedRows += (int) share.pair().build().rowCount();
        }
        halves = 0;
        world.giveBack(share);
        share = null;
      }
    }

    @Override
    public String toString() {
      long rows = share == null ? -1 : share.pair().build().rowCount();
      return hasEnded + " " + rows + " " + halves + " " + isOver + " " + wait.isDone();
    }

    private void look() {
      share = world.pairs.take();
      if (share != null) {
        world.take(share, mostRows);
      } else if (world.pairs.isOver()) {
        isOver = true;
      } else {
        wait = world.pairs.more();
      }
    }
  }

  /**
   * Takes steps in every order, but goes on once from each state.
   *
   * @param leastStates how many states there must be for the steps to have mixed at all
   */
  private static void explore(
      int drivers, int partitions, int dividesFrom, long mostRows, int leastStates) {
    Set<String> seen = new HashSet<>();
    Deque<List<Integer>> schedules = new ArrayDeque<>(List.of(List.of()));
    while (!schedules.isEmpty()) {
      List<Integer> schedule = schedules.pop();
      World world = new World(partitions, dividesFrom, mostRows);
      List<Lane> all = new ArrayList<>();
      for (int i = 0; i < drivers; i++) {
        all.add(new Lane(world, mostRows));
      }
      schedule.forEach(next -> all.get(next).step());
      if (seen.add(all + " " + world)) {
        for (int next = 0; next < drivers; next++) {
          if (all.get(next).mayStep()) {
            List<Integer> longer = new ArrayList<>(schedule);
            longer.add(next);
            schedules.push(longer);
          }
        }
        if (all.stream().noneMatch(Lane::mayStep)) {
          assertTrue(all.stream().allMatch(driver -> driver.isOver), "all wait for each other");
          assertEquals(partitions * ROWS, world.joinedRows, "rows are lost, or joined twice");
          assertNull(world.pairs.take());
        }
      }
      world.pairs.close();
    }
    assertTrue(seen.size() > leastStates, () -> "only " + seen.size() + " states");
  }

  @Test
  void joinsAllPairsWhileDriversRepartition() {
    explore(2, 2, ROWS, Long.MAX_VALUE, 50);
    explore(3, 2, ROWS, Long.MAX_VALUE, 100);
  }

  @Test
  void joinsAllPairsWithMemoryForOne() {
    explore(2, 2, ROWS, ROWS, 50);
    explore(3, 2, ROWS, ROWS, 100);
    explore(3, 3, 2 * ROWS, 1, 50);
  }

  @Test
  void unblocksWhenAPairIsRepartitioned() {
    World world = new World(1, ROWS, Long.MAX_VALUE);
    Lane one = new Lane(world, Long.MAX_VALUE);
    Lane other = new Lane(world, Long.MAX_VALUE);
    one.step();
    one.step();
    assertFalse(one.mayStep(), "the other may have rows");
    other.step();
    assertTrue(one.mayStep());
    one.step();
    other.step();
    assertFalse(other.mayStep(), "the only pair is taken");
    one.step();
    assertTrue(other.mayStep());
    world.pairs.close();
  }
}
