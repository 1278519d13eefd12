package io.ariadne.spill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.memory.testing.PoolCheck;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TestPlanOrderEviction {
  private static final Schema BYTES =
      new Schema(List.of(new Field("b", PrimitiveType.INT8, false)));
  private static final Schema STRINGS =
      new Schema(List.of(new Field("s", PrimitiveType.STRING, false)));

  @RegisterExtension final PoolCheck memory = new PoolCheck(1 << 24);

  private final RandomBatches random = RandomBatches.create();
  private final List<SpillableBatch> all = new ArrayList<>();
  private final PlanOrderQueue queue = new PlanOrderQueue();

  /** A placement that the test changes. */
  private static final class Movable implements SpillPlacement {
    private final boolean comesNearer;
    private int distance;
    private boolean active;

    Movable(int distance, boolean active, boolean comesNearer) {
      this.distance = distance;
      this.active = active;
      this.comesNearer = comesNearer;
    }

    @Override
    public int distanceToUse() {
      return distance;
    }

    @Override
    public boolean isActive() {
      return active;
    }

    @Override
    public boolean onlyComesNearer() {
      return comesNearer;
    }
  }

  /** What decides the order among batches. */
  private record Key(boolean active, int distance, long bytes) {
    static Key of(SpillableBatch batch) {
      SpillPlacement placement = batch.placement();
      return new Key(placement.isActive(), placement.distanceToUse(), batch.freeableBytes());
    }

    boolean isEqualPlace(Key other) {
      return active == other.active && distance == other.distance;
    }
  }

  @AfterEach
  void close() {
    all.forEach(SpillableBatch::close);
  }

  private SpillableBatch batch(int bytes, int distance, boolean active) {
    return batch(bytes, SpillPlacement.at(distance, active));
  }

  private SpillableBatch batch(int bytes, SpillPlacement placement) {
    return add(random.batch(BYTES, bytes, NullPattern.NONE, memory.pool()), placement);
  }

  private SpillableBatch add(RecordBatch content, SpillPlacement placement) {
    BatchOwner owner =
        new BatchOwner() {
          @Override
          public void gone(SpillableBatch batch) {
            queue.remove(batch);
          }

          @Override
          public void idle(SpillableBatch batch) {
            queue.add(batch);
          }
        };
    SpillableBatch added =
        new SpillableBatch(content, MemoryTier.HOST, placement, owner, presence -> {});
    all.add(added);
    queue.add(added);
    return added;
  }

  private List<SpillableBatch> choose(long bytes) {
    return queue.chooseVictims(bytes, true);
  }

  @Test
  void choosesInactiveThenDistantBatches() {
    SpillableBatch near = batch(640, 0, true);
    SpillableBatch far = batch(640, 5, true);
    SpillableBatch idle = batch(640, 1, false);
    long size = near.freeableBytes();
    assertEquals(List.of(idle), choose(1));
    assertEquals(List.of(idle, far), choose(size + 1));
    assertEquals(List.of(idle, far, near), choose(1_000_000));
  }

  @Test
  void choosesTheSmallestThatCovers() {
    SpillableBatch small = batch(64, 1, true);
    SpillableBatch middle = batch(640, 1, true);
    SpillableBatch large = batch(6400, 1, true);
    long a = small.freeableBytes();
    long b = middle.freeableBytes();
    long c = large.freeableBytes();
    assertEquals(List.of(small), choose(a));
    assertEquals(List.of(middle), choose(a + 1));
    assertEquals(List.of(large), choose(b + 1));
    assertEquals(List.of(large, small), choose(c + a));
    assertEquals(List.of(large, middle), choose(c + a + 1));
  }

  @Test
  void leavesBatchesThatAreNeededSoon() {
    SpillableBatch soon = batch(640, SpillPlacement.NEAR, true);
    SpillableBatch later = batch(640, SpillPlacement.NEAR + 1, true);
    SpillableBatch idle = batch(640, 0, false);
    assertEquals(List.of(idle, later), queue.chooseVictims(1_000_000, false));
    assertEquals(List.of(idle, later, soon), queue.chooseVictims(1_000_000, true));
  }

  @Test
  void leavesBatchesThatAreRead() {
    SpillableBatch only = batch(640, 1, true);
    only.read(memory.pool());
    assertEquals(List.of(), choose(1));
    assertEquals(0, queue.size());
    only.unread();
    assertEquals(List.of(only), choose(1));
  }

  @Test
  void forgetsBatchesThatAreGone() {
    SpillableBatch closed = batch(640, 1, true);
    SpillableBatch taken = batch(640, 1, true);
    closed.close();
    taken.take(memory.pool()).close();
    assertEquals(0, queue.size());
    queue.add(closed);
    assertEquals(0, queue.size());
  }

  @Test
  void noticesThatAUseComesNearer() {
    Movable placement = new Movable(9, false, true);
    SpillableBatch changing = batch(640, placement);
    SpillableBatch other = batch(640, 5, true);
    assertEquals(List.of(changing), choose(1));
    placement.active = true;
    placement.distance = 1;
    assertEquals(List.of(other), choose(1));
    assertEquals(List.of(other, changing), choose(1_000_000));
    assertEquals(List.of(), queue.chooseVictims(1_000_000, false), "both are needed soon");
  }

  @Test
  void noticesThatAUseBecomesMoreDistant() {
    Movable placement = new Movable(1, true, false);
    SpillableBatch changing = batch(640, placement);
    SpillableBatch other = batch(640, 5, true);
    assertEquals(List.of(other), choose(1));
    placement.active = false;
    assertEquals(List.of(changing), choose(1));
  }

  /** Batches share string heaps: what one frees depends on whether the other is still there. */
  @Test
  void noticesThatSharedMemoryIsReleased() {
    RecordBatch first = random.batch(STRINGS, 200, NullPattern.NONE, memory.pool());
    RecordBatch second = new RowRange(0, 100).copyOf(first, memory.pool(), 0);
    SpillableBatch owner = add(first, SpillPlacement.at(1, true));
    SpillableBatch sharer = add(second, SpillPlacement.at(1, true));
    long shared = owner.freeableBytes();
    assertEquals(List.of(owner, sharer), choose(1_000_000));
    sharer.close();
    assertTrue(owner.freeableBytes() >= shared);
    assertEquals(List.of(owner), choose(owner.freeableBytes()));
  }

  /** Enough if there is enough, and no victim at the end too many. */
  @Test
  void choosesAsManyAsAreNeeded() {
    Random choice = random.random();
    for (int i = 0; i < 40; i++) {
      batch(64 * (1 + choice.nextInt(30)), choice.nextInt(4), choice.nextBoolean());
    }
    long total = all.stream().mapToLong(SpillableBatch::freeableBytes).sum();
    for (int i = 0; i < 500; i++) {
      long wanted = 1 + (long) (choice.nextDouble() * total);
      List<SpillableBatch> victims = choose(wanted);
      long bytes = victims.stream().mapToLong(SpillableBatch::freeableBytes).sum();
      assertTrue(bytes >= wanted);
      assertEquals(victims.size(), victims.stream().distinct().count());
      long without = bytes - victims.get(victims.size() - 1).freeableBytes();
      assertTrue(without < wanted);
    }
  }

  /** The queue chooses what sorting all batches would, however batches and placements change. */
  @Test
  void choosesAsALinearSearchDoes() {
    Random choice = random.random();
    List<SpillableBatch> read = new ArrayList<>();
    for (int step = 0; step < 3000; step++) {
      SpillableBatch any = all.isEmpty() ? null : all.get(choice.nextInt(all.size()));
      switch (any == null ? 0 : choice.nextInt(8)) {
        case 0, 1 -> batch(64 * (1 + choice.nextInt(30)), placement(choice));
        case 2 -> {
          any.close();
          all.remove(any);
          if (read.remove(any)) {
            any.unread();
          }
        }
        case 3 -> {
          if (!read.contains(any)) {
            any.read(memory.pool());
            read.add(any);
          }
        }
        case 4 -> {
          if (read.remove(any)) {
            any.unread();
          }
        }
        case 5 -> change(any.placement(), choice);
        default -> {
          long wanted = 1L + choice.nextInt(20_000);
          boolean takesNear = choice.nextBoolean();
          List<Key> expected = search(wanted, takesNear);
          List<Key> chosen = queue.chooseVictims(wanted, takesNear).stream().map(Key::of).toList();
          assertEquals(expected, chosen, "seed " + random.seed() + ", step " + step);
        }
      }
    }
    read.forEach(SpillableBatch::unread);
  }

  private static SpillPlacement placement(Random choice) {
    int distance = SpillPlacement.NEAR - 2 + choice.nextInt(5);
    boolean active = choice.nextInt(3) > 0;
    return switch (choice.nextInt(3)) {
      case 0 -> SpillPlacement.at(distance, active);
      case 1 -> new Movable(distance, active, true);
      default -> new Movable(distance, active, false);
    };
  }

  private static void change(SpillPlacement placement, Random choice) {
    if (placement instanceof Movable movable && movable.comesNearer) {
      movable.active |= choice.nextBoolean();
      movable.distance -= choice.nextInt(2);
    } else if (placement instanceof Movable movable) {
      movable.active = choice.nextBoolean();
      movable.distance = SpillPlacement.NEAR - 2 + choice.nextInt(5);
    }
  }

  /** Sorts all candidates and chooses, for each placement, the smallest that covers. */
  private List<Key> search(long wanted, boolean takesNear) {
    List<Key> left = new ArrayList<>();
    for (SpillableBatch batch : all) {
      if (batch.freeableBytes() > 0 && (takesNear || !batch.placement().isNear())) {
        left.add(Key.of(batch));
      }
    }
    left.sort(
        Comparator.comparing(Key::active)
            .thenComparing(Key::distance, Comparator.reverseOrder())
            .thenComparing(Key::bytes));
    List<Key> victims = new ArrayList<>();
    long missing = wanted;
    while (missing > 0 && !left.isEmpty()) {
      Key first = left.get(0);
      List<Key> equals = left.stream().filter(first::isEqualPlace).toList();
      Key chosen = equals.get(equals.size() - 1);
      for (int i = equals.size() - 1; i >= 0 && equals.get(i).bytes() >= missing; i--) {
        chosen = equals.get(i);
      }
      left.remove(chosen);
      victims.add(chosen);
      missing -= chosen.bytes();
    }
    return victims;
  }
}
