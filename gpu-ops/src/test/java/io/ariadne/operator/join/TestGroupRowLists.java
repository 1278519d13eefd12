package io.ariadne.operator.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.join.JoinChains;
import io.ariadne.kernel.join.JoinRowsKernel;
import io.ariadne.kernel.testing.AbstractTestOnBackend;
import io.ariadne.kernel.testing.OnHost;
import io.ariadne.operator.OperatorContext;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** Rows of groups are found in steps, which may end within a group and between two. */
class TestGroupRowLists extends AbstractTestOnBackend implements OnHost {
  private static final int ROWS = 500;
  private static final int GROUPS = 60;

  @Test
  void findsAllRowsInStepsOfAnySize() {
    for (int step = 1; step <= 2 * ROWS; step += 1 + step / 3) {
      check(step);
    }
  }

  private void check(int step) {
    BitSet chosen = new BitSet();
    for (int group = 0; group < GROUPS; group++) {
      chosen.set(group, random.nextBoolean());
    }
    BitSet expected = new BitSet();
    OperatorContext context = new OperatorContext(allocator, backend, () -> false);
    try (JoinRowsKernel kernel = new JoinRowsKernel(backend, allocator);
        MemoryBuffer groups = groups(chosen, expected);
        JoinChains chains = kernel.chains(groups, ROWS, GROUPS);
        GroupRowLists found = new GroupRowLists(chosen, chains, context, step)) {
      int steps = 1;
      while (!found.find()) {
        steps++;
      }
      assertEquals(expected, found.rows(), () -> "step " + step + ", seed " + seed);
      int work = expected.cardinality() + chosen.cardinality();
      assertTrue(steps <= work / step + 1, steps + " steps of " + step);
      assertFalse(step < work / 2 && steps < 2, steps + " steps of " + step);
    }
  }

  /** Returns the group of each row, and notes the rows of chosen ones. */
  private MemoryBuffer groups(BitSet chosen, BitSet rows) {
    MemoryBuffer groups = allocator.allocate((long) ROWS * Integer.BYTES);
    for (int row = 0; row < ROWS; row++) {
      // the last groups have no rows
      int group = random.nextInt(GROUPS - 3);
      groups.putInt((long) row * Integer.BYTES, group);
      rows.set(row, chosen.get(group));
    }
    return groups;
  }
}
