package io.ariadne.bridge.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/** Tests that the estimate of groups is close enough, with few measurements. */
class TestHeapEstimate {
  private static final int GROUPS = 10_000;
  private static final long GROUP_BYTES = 200;
  private static final IntToLongFunction NEVER =
      group -> {
        throw new AssertionError("group " + group + " is measured");
      };

  private final HeapEstimate estimate = new HeapEstimate(GROUP_BYTES);

  @Test
  void measuresNothingBelowTheBound() {
    estimate.ensure(GROUPS);
    estimate.add(GROUPS - 1, 1000);
    assertEquals(GROUPS * GROUP_BYTES + 1000, estimate.bytes(Long.MAX_VALUE, NEVER));
    assertEquals(GROUPS * GROUP_BYTES + 1000, estimate.bytes(GROUPS * GROUP_BYTES + 1000, NEVER));
  }

  @Test
  void estimatesGroupsThatKeepLittle() {
    takeIn(1000);
    long bytes = estimate.bytes(GROUPS * GROUP_BYTES * 2, group -> 10);
    assertEquals(GROUPS * (GROUP_BYTES + 10.0), bytes, GROUPS);
  }

  @Test
  void estimatesGroupsThatKeepAll() {
    takeIn(1000);
    long bytes = estimate.bytes(1, group -> 1500);
    assertEquals(GROUPS * (GROUP_BYTES + 1500.0), bytes, GROUPS);
  }

  /** A large group is measured although few groups are. */
  @Test
  void findsOneLargeGroupAmongManySmallOnes() {
    takeIn(10);
    estimate.add(4711, 1 << 30);
    long bytes = estimate.bytes(1 << 28, group -> group == 4711 ? 1 << 30 : 10);
    assertEquals(GROUPS * (GROUP_BYTES + 10.0) + (1 << 30), bytes, GROUPS);
  }

  @Test
  void measuresFewGroupsSeldom() {
    AtomicInteger measured = new AtomicInteger();
    long bound = GROUPS * (GROUP_BYTES + 100);
    for (int i = 0; i < 100; i++) {
      takeIn(10);
      estimate.bytes(
          bound,
          group -> {
            measured.incrementAndGet();
            return 0;
          });
    }
    assertTrue(measured.get() > 0);
    assertTrue(measured.get() < 6 * 70, () -> measured + " measurements");
  }

  /** Groups that begin to keep their input are measured again. */
  @Test
  void detectsGroupsThatKeepMoreThanBefore() {
    long bound = GROUPS * GROUP_BYTES * 4;
    takeIn(1000);
    long held = GROUPS * GROUP_BYTES;
    assertEquals(held, estimate.bytes(bound, group -> 0), GROUPS);
    long later = 0;
    while (estimate.bytes(bound, group -> 1_000_000) <= bound) {
      takeIn(10);
      later += 10L * GROUPS;
    }
    assertTrue(later <= 2 * bound + bound / 8, later + " bytes later");
  }

  @Test
  void removedGroupsHoldNothing() {
    takeIn(10);
    estimate.bytes(1, group -> 1000);
    estimate.reset();
    assertEquals(0, estimate.bytes(1, NEVER));
    estimate.ensure(1);
    assertEquals(GROUP_BYTES, estimate.bytes(GROUP_BYTES, NEVER));
  }

  private void takeIn(long bytes) {
    estimate.ensure(GROUPS);
    for (int group = 0; group < GROUPS; group++) {
      estimate.add(group, bytes);
    }
  }
}
