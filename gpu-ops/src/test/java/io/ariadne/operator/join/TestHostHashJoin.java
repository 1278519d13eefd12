package io.ariadne.operator.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.kernel.testing.OnHost;
import io.ariadne.testing.LongTest;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Joins on the host. */
class TestHostHashJoin extends AbstractTestHashJoin implements OnHost {
  @Override
  protected int cases() {
    return 75;
  }

  @Override
  protected int maxRows() {
    return 1000;
  }

  /** As in Spark's nested loops. Threads of a GPU list pairs in any order. */
  @Test
  void yieldsPairsInTheOrderOfTheInput() {
    List<List<Object>> expected =
        LongStream.range(0, 10).mapToObj(row -> List.<Object>of(row)).toList();
    for (int i = 0; i < 10; i++) {
      assertEquals(expected, joinWithoutKeys());
    }
  }

  @Test
  @LongTest
  void joinsWhicheverAllocationIsRefused() {
    for (JoinKind kind : JoinKind.values()) {
      checkWithEachRefusal(kind, 1);
      checkWithEachRefusal(kind, 8);
    }
  }

  @Test
  void keepsTheOrderOfTheProbeSideInPasses() {
    for (JoinKind kind : JoinKind.values()) {
      if (!kind.marksBuildRows()) {
        checkOrderInPasses(kind, 1);
      }
      if (!kind.marksBuildRows() && kind != JoinKind.NULL_AWARE_ANTI) {
        checkOrderInPasses(kind, 0);
      }
    }
  }

  @Test
  @LongTest
  void partitionsTheBuildSideWhenAnAllocationIsRefused() {
    for (int i = 0; i < 200; i++) {
      checkWithRefusal();
    }
    assertTrue(refusals() > 0, "no allocation was refused");
  }
}
