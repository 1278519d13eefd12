package io.ariadne.kernel.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.GatherIndex;
import io.ariadne.kernel.abi.GroupMissing;
import io.ariadne.kernel.abi.JoinPhase;
import io.ariadne.kernel.abi.JoinRowsArgsLayout;
import io.ariadne.kernel.testing.AbstractTestKernels;
import io.ariadne.kernel.testing.KernelTestTarget;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Rows of groups, pairs and bits, against plain Java. */
abstract class AbstractTestJoinRowsKernels extends AbstractTestKernels {
  private static final int[] SIZES = {1, 31, 32, 33, 1023, 1025, 5000};
  private static final Map<Integer, String> LINES =
      Map.of(
          JoinPhase.JOIN_COUNT, "join_rows count",
          JoinPhase.JOIN_STARTS, "join_rows starts",
          JoinPhase.JOIN_PLACE, "join_rows place",
          JoinPhase.JOIN_MATCHES, "join_rows matches",
          JoinPhase.JOIN_EXPAND, "join_rows expand",
          JoinPhase.JOIN_FLAG, "join_rows flag",
          JoinPhase.JOIN_MARK, "join_rows mark");

  AbstractTestJoinRowsKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void findsThePairsOfRandomGroups() {
    for (int rows : SIZES) {
      for (boolean isOuter : new boolean[] {false, true}) {
        int groups = 1 + random.nextInt(2 * rows);
        check(random.nextInt(2 * rows) + 1, groups, rows, isOuter, false);
        check(groups, groups, rows, isOuter, true);
      }
    }
  }

  @Test
  void findsThePairsOfOneGroup() {
    check(300, 1, 200, false, false);
  }

  @Test
  void findsThePairsOfManyRows() {
    checkEachLaunch(
        arguments -> {
          boolean isLarge = arguments.getInt(JoinRowsArgsLayout.ROWS_OFFSET) == MANY;
          return isLarge ? LINES.get(arguments.getInt(JoinRowsArgsLayout.PHASE_OFFSET)) : null;
        });
    check(MANY, MANY, MANY, false, false);
  }

  /** A build side with some rows of random groups, or one row of each. */
  private int[] build(int rows, int groups, boolean isUnique) {
    int[] build = new int[rows];
    for (int row = 0; row < rows; row++) {
      build[row] = isUnique ? row : random.nextInt(groups);
    }
    return build;
  }

  private int[] probe(int rows, int groups) {
    int[] probe = new int[rows];
    for (int row = 0; row < rows; row++) {
      int chance = random.nextInt(8);
      probe[row] =
          chance == 0
              ? GroupMissing.GROUP_NONE
              : chance == 1 ? GroupMissing.GROUP_NULL_KEY : random.nextInt(groups);
    }
    return probe;
  }

  private void check(int buildRows, int groups, int probeRows, boolean isOuter, boolean isUnique) {
    int[] build = build(buildRows, groups, isUnique);
    int[] probe = probe(probeRows, groups);
    List<List<Integer>> rowsOf = new ArrayList<>();
    for (int group = 0; group < groups; group++) {
      rowsOf.add(new ArrayList<>());
    }
    for (int row = 0; row < buildRows; row++) {
      rowsOf.get(build[row]).add(row);
    }
    try (JoinRowsKernel kernel = new JoinRowsKernel(backend(), allocator());
        MemoryBuffer buildGroups = buffer(build);
        MemoryBuffer probeGroups = buffer(probe);
        JoinChains chains = isUnique ? null : kernel.chains(buildGroups, buildRows, groups);
        MemoryBuffer offsets = allocator().allocate((probeRows + 1L) * Long.BYTES)) {
      if (isUnique) {
        assertNull(chains);
      }
      long total = kernel.countPairs(probeGroups, probeRows, chains, isOuter, offsets);
      Set<Long> expected = expectedPairs(probe, rowsOf, isOuter);
      assertEquals(expected.size(), total, () -> "pairs, seed " + seed());
      checkPairs(kernel, total, expected);
      checkBits(kernel, probe, probeGroups);
    }
  }

  private static Set<Long> expectedPairs(int[] probe, List<List<Integer>> rowsOf, boolean isOuter) {
    Set<Long> pairs = new HashSet<>();
    for (int row = 0; row < probe.length; row++) {
      if (probe[row] < rowsOf.size()) {
        for (int other : rowsOf.get(probe[row])) {
          pairs.add((long) row << Integer.SIZE | other);
        }
      } else if (isOuter) {
        pairs.add((long) row << Integer.SIZE | GatherIndex.GATHER_NULL_INDEX);
      }
    }
    return pairs;
  }

  /** Lists pairs part by part, which come in the order of probe rows. */
  private void checkPairs(JoinRowsKernel kernel, long total, Set<Long> expected) {
    Set<Long> found = new HashSet<>();
    int last = 0;
    for (long first = 0; first < total; ) {
      int count = (int) Math.min(total - first, total >= MANY / 2 ? total : 1 + random.nextInt(99));
      try (MemoryBuffer rows = allocator().allocate((long) count * Integer.BYTES);
          MemoryBuffer others = allocator().allocate((long) count * Integer.BYTES)) {
        kernel.expand(first, count, rows, others);
        awaitLaunches();
        for (int i = 0; i < count; i++) {
          int row = rows.getInt((long) i * Integer.BYTES);
          assertEquals(Math.max(row, last), row, "rows in order");
          last = row;
          found.add((long) row << Integer.SIZE | others.getInt((long) i * Integer.BYTES));
        }
      }
      first += count;
    }
    assertEquals(expected, found, () -> "seed " + seed());
  }

  private void checkBits(JoinRowsKernel kernel, int[] probe, MemoryBuffer groups) {
    int rows = probe.length;
    try (MemoryBuffer bits = allocator().allocate(MemoryBuffer.padded(rows / Byte.SIZE + 1L))) {
      backend().clear(bits, 0, bits.capacityInBytes());
      Set<Integer> expected = new TreeSet<>();
      for (boolean doNullsMatch : new boolean[] {false, true}) { // bits of the first pass stay
        kernel.flag(groups, rows, doNullsMatch, bits);
        awaitLaunches();
        for (int row = 0; row < rows; row++) {
          boolean isNull = doNullsMatch && probe[row] == GroupMissing.GROUP_NULL_KEY;
          if (probe[row] < GroupMissing.GROUP_NULL_KEY || isNull) {
            expected.add(row);
          }
        }
        assertEquals(expected, setBits(bits, rows), () -> "seed " + seed());
      }
      backend().clear(bits, 0, bits.capacityInBytes());
      int[] list = new int[rows];
      Set<Integer> marked = new TreeSet<>();
      for (int i = 0; i < rows; i++) {
        list[i] = random.nextInt(9) == 0 ? GatherIndex.GATHER_NULL_INDEX : random.nextInt(rows);
        if (list[i] < rows) {
          marked.add(list[i]);
        }
      }
      try (MemoryBuffer listed = buffer(list)) {
        kernel.mark(listed, rows, rows, bits);
        awaitLaunches();
      }
      assertEquals(marked, setBits(bits, rows), () -> "seed " + seed());
      kernel.invert(bits, rows);
      awaitLaunches();
      Set<Integer> others = new TreeSet<>();
      for (int row = 0; row < rows; row++) {
        if (!marked.contains(row)) {
          others.add(row);
        }
      }
      assertEquals(others, setBits(bits, rows), () -> "seed " + seed());
    }
  }

  private static Set<Integer> setBits(MemoryBuffer bits, int rows) {
    Set<Integer> set = new TreeSet<>();
    for (int row = 0; row < rows; row++) {
      if ((bits.getByte(row / Byte.SIZE) >> row % Byte.SIZE & 1) != 0) {
        set.add(row);
      }
    }
    return set;
  }

  private MemoryBuffer buffer(int[] values) {
    MemoryBuffer buffer = allocator().allocate((long) values.length * Integer.BYTES);
    for (int i = 0; i < values.length; i++) {
      buffer.putInt((long) i * Integer.BYTES, values[i]);
    }
    return buffer;
  }
}
