package io.ariadne.event;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class TestRoundFailures {
  private final List<Object> told = new ArrayList<>();
  private boolean isFull;

  /** A log that keeps warnings, or fails as with a full heap. */
  private Logger log() {
    return (Logger)
        Proxy.newProxyInstance(
            Logger.class.getClassLoader(),
            new Class<?>[] {Logger.class},
            (proxy, method, arguments) -> {
              if (isFull) {
                throw new OutOfMemoryError("planned");
              }
              told.add(((Object[]) arguments[1])[1]);
              return null;
            });
  }

  @Test
  void logsOneOfManyFailures() {
    RoundFailures failures = new RoundFailures(log(), "a round fails");
    for (int i = 0; i < 100; i++) {
      failures.failed(new IllegalStateException("planned"));
    }
    assertEquals(List.of(1L), told);
    failures.succeeded();
    failures.failed(new IllegalStateException("planned"));
    assertEquals(List.of(1L, 100L), told);
    assertEquals(101, failures.count());
  }

  @Test
  void logsLaterWhatCannotBeLoggedNow() {
    RoundFailures failures = new RoundFailures(log(), "a round fails");
    isFull = true;
    failures.failed(new OutOfMemoryError("planned"));
    failures.failed(new OutOfMemoryError("planned"));
    isFull = false;
    failures.failed(new OutOfMemoryError("planned"));
    assertEquals(List.of(3L), told);
  }
}
