package io.ariadne.io.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.io.ReadStep;
import org.junit.jupiter.api.Test;

class TestFirstByteTimes {
  private static final long FLOOR = 1000;

  private final FirstByteTimes times = new FirstByteTimes(FLOOR);

  private void add(int count, long nanos) {
    for (int i = 0; i < count; i++) {
      times.add(nanos);
    }
  }

  @Test
  void noRequestIsLateAtFirst() {
    assertEquals(Long.MAX_VALUE, times.lateNanos());
    add(63, 5000);
    assertEquals(Long.MAX_VALUE, times.lateNanos());
    add(1, 5000);
    assertEquals(5000, times.lateNanos());
  }

  @Test
  void isTheTimeOfNearlyAllRecentRequests() {
    add(256, 90_000);
    for (int i = 0; i < 256; i++) {
      times.add(10_000 + i);
    }
    assertEquals(10_253, times.lateNanos());
  }

  @Test
  void slowRequestsAreLateEvenIfTheyAreOneInAHundred() {
    for (int i = 0; i < 256; i++) {
      times.add(i % 50 == 0 ? 1_000_000 : 10_000);
    }
    assertEquals(30_000, times.lateNanos());
  }

  @Test
  void hasAFloor() {
    add(256, 10);
    assertEquals(FLOOR, times.lateNanos());
  }

  @Test
  void noRequestIsLateWithoutSecondRequests() {
    System.setProperty(ReadStep.PROPERTY, ReadStep.SECOND_REQUESTS.text());
    FirstByteTimes recent;
    try {
      recent = S3Store.create(1, S3Fixture.TIMING).times();
    } finally {
      System.clearProperty(ReadStep.PROPERTY);
    }
    for (int i = 0; i < 1000; i++) {
      recent.add(5000);
    }
    assertEquals(FirstByteTimes.NEVER, recent.lateNanos());
  }

  @Test
  void hedgesAFewPercent() {
    assertFalse(times.takeHedge());
    int hedges = 0;
    for (int i = 0; i < 10_000; i++) {
      times.add(10);
      hedges += times.takeHedge() ? 1 : 0;
    }
    assertTrue(hedges > 250 && hedges <= 310, hedges + " hedges");
    assertFalse(times.takeHedge());
    times.returnHedge();
    assertTrue(times.takeHedge());
  }

  @Test
  void savesFewHedges() {
    add(100_000, 10);
    int hedges = 0;
    while (times.takeHedge()) {
      hedges++;
    }
    assertEquals(8, hedges);
  }
}
