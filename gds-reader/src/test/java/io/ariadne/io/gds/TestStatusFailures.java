package io.ariadne.io.gds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TestStatusFailures {
  /** What counts is how long calls have failed, not how long nothing has come before. */
  @Test
  void lastFromTheFirstOneAfterASuccess() {
    StatusFailures failures = new StatusFailures();
    assertFalse(failures.lastFor(10, Long.MAX_VALUE));
    failures.add(1000);
    failures.add(1010);
    assertEquals(2, failures.count());
    assertFalse(failures.lastFor(10, 1010));
    assertTrue(failures.lastFor(10, 1011));
    failures.reset();
    assertFalse(failures.lastFor(10, 1011));
    failures.add(2000);
    assertEquals(1, failures.count());
    assertFalse(failures.lastFor(10, 2010));
    assertTrue(failures.lastFor(10, 2011));
  }
}
