package io.ariadne.spill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.memory.testing.PoolCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TestPlanOrderEviction {
  private static final Schema BYTES =
      new Schema(List.of(new Field("b", PrimitiveType.INT8, false)));

  @RegisterExtension final PoolCheck memory = new PoolCheck(1 << 24);

  private final RandomBatches random = RandomBatches.create();
  private final List<SpillableBatch> all = new ArrayList<>();
  private final PlanOrderEviction policy = new PlanOrderEviction();

  @AfterEach
  void close() {
    all.forEach(SpillableBatch::close);
  }

  private SpillableBatch batch(int bytes, int distance, boolean active) {
    RecordBatch content = random.batch(BYTES, bytes, NullPattern.NONE, memory.pool());
    SpillPlacement placement = SpillPlacement.at(distance, active);
    all.add(new SpillableBatch(content, MemoryTier.HOST, placement, Owners.NONE, presence -> {}));
    return all.get(all.size() - 1);
  }

  @Test
  void testOrder() {
    SpillableBatch near = batch(640, 0, true);
    SpillableBatch far = batch(640, 5, true);
    SpillableBatch idle = batch(640, 1, false);
    long size = near.freeableBytes();
    assertEquals(List.of(idle), policy.chooseVictims(all, 1));
    assertEquals(List.of(idle, far), policy.chooseVictims(all, size + 1));
    assertEquals(List.of(idle, far, near), policy.chooseVictims(all, 1_000_000));
  }

  @Test
  void testSmallestThatCovers() {
    SpillableBatch small = batch(64, 1, true);
    SpillableBatch middle = batch(640, 1, true);
    SpillableBatch large = batch(6400, 1, true);
    long a = small.freeableBytes();
    long b = middle.freeableBytes();
    long c = large.freeableBytes();
    assertEquals(List.of(small), policy.chooseVictims(all, a));
    assertEquals(List.of(middle), policy.chooseVictims(all, a + 1));
    assertEquals(List.of(large), policy.chooseVictims(all, b + 1));
    assertEquals(List.of(large, small), policy.chooseVictims(all, c + a));
    assertEquals(List.of(large, middle), policy.chooseVictims(all, c + a + 1));
  }

  @Test
  void testWhoIsReadStays() {
    SpillableBatch only = batch(640, 1, true);
    only.read(memory.pool());
    assertEquals(List.of(), policy.chooseVictims(all, 1));
    only.unread();
    assertEquals(List.of(only), policy.chooseVictims(all, 1));
  }

  /** Enough if there is enough, and no victim at the end too many. */
  @Test
  void testRandomly() {
    Random choice = random.random();
    for (int i = 0; i < 40; i++) {
      batch(64 * (1 + choice.nextInt(30)), choice.nextInt(4), choice.nextBoolean());
    }
    long total = all.stream().mapToLong(SpillableBatch::freeableBytes).sum();
    for (int i = 0; i < 500; i++) {
      long wanted = 1 + (long) (choice.nextDouble() * total);
      List<SpillableBatch> victims = policy.chooseVictims(all, wanted);
      long bytes = victims.stream().mapToLong(SpillableBatch::freeableBytes).sum();
      assertTrue(bytes >= wanted);
      assertEquals(victims.size(), victims.stream().distinct().count());
      long without = bytes - victims.get(victims.size() - 1).freeableBytes();
      assertTrue(without < wanted);
    }
  }
}
