package io.ariadne.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.RandomBatches;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TestRequestPlanner {
  private static WantedRange range(long position, long length, long order) {
    return new WantedRange(position, length, order);
  }

  @Test
  void joinsCloseRangesAndKeepsTheEarlierOrder() {
    assertEquals(
        List.of(range(0, 30, 2), range(50, 10, 9)),
        RequestPlanner.plan(List.of(range(50, 10, 9), range(20, 10, 2), range(0, 10, 5)), 10, 100));
  }

  @Test
  void cutsLongRangesIntoEqualPieces() {
    assertEquals(
        List.of(range(0, 34, 1), range(34, 33, 1), range(67, 33, 1)),
        RequestPlanner.plan(List.of(range(0, 100, 1)), 0, 40));
  }

  @Test
  void keepsGroupsApart() {
    List<WantedRange> plan =
        RequestPlanner.plan(
            List.of(new WantedRange(10, 10, 0, 1), new WantedRange(0, 10, 1, 2), range(15, 10, 2)),
            10,
            100);
    assertEquals(
        List.of(new WantedRange(0, 10, 1, 2), new WantedRange(10, 10, 0, 1), range(20, 5, 2)),
        plan);
  }

  @Test
  void plansNothingForNothing() {
    assertEquals(List.of(), RequestPlanner.plan(List.of(), 10, 100));
  }

  @Test
  void randomPlansCoverExactlyWhatIsWanted() {
    Random random = RandomBatches.create().random();
    for (int round = 0; round < 500; round++) {
      int maxGap = random.nextInt(20);
      int maxBytes = 1 + random.nextInt(60);
      List<WantedRange> wanted = new ArrayList<>();
      BitSet bytes = new BitSet();
      for (int i = random.nextInt(8); i > 0; i--) {
        WantedRange each = range(random.nextInt(300), 1 + random.nextInt(100), random.nextInt(10));
        wanted.add(each);
        bytes.set((int) each.position(), (int) each.end());
      }
      check(wanted, bytes, RequestPlanner.plan(wanted, maxGap, maxBytes), maxGap, maxBytes);
    }
  }

  private static void check(
      List<WantedRange> wanted, BitSet bytes, List<WantedRange> plan, int maxGap, int maxBytes) {
    BitSet planned = new BitSet();
    long end = -1;
    for (WantedRange request : plan) {
      assertTrue(request.position() >= end, "requests overlap or descend: " + plan);
      assertTrue(request.length() <= maxBytes, "a request is too long: " + request);
      assertTrue(bytes.get((int) request.position()), "a request begins with a gap");
      assertTrue(bytes.get((int) request.end() - 1), "a request ends with a gap");
      end = request.end();
      planned.set((int) request.position(), (int) end);
      long earliest =
          wanted.stream()
              .filter(each -> each.position() < request.end() && request.position() < each.end())
              .mapToLong(WantedRange::order)
              .min()
              .orElseThrow();
      assertTrue(request.order() >= earliest, "a request is too early: " + request);
    }
    BitSet gaps = (BitSet) planned.clone();
    gaps.andNot(bytes);
    for (int from = gaps.nextSetBit(0); from >= 0; ) {
      int to = gaps.nextClearBit(from);
      assertTrue(to - from <= maxGap, "a gap of " + (to - from) + " bytes is read");
      from = gaps.nextSetBit(to);
    }
    planned.and(bytes);
    assertEquals(bytes, planned);
  }
}
