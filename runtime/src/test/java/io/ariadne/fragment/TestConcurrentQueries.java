package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.operator.OperatorFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Two queries that both have more work than there are threads: neither starves. */
class TestConcurrentQueries extends AbstractTestFragment {
  private static final int LONG_BATCHES = 600;
  private static final int SHORT_BATCHES = 60;

  /** A task of one query. */
  private record Task(String query) implements TaskEnvironment {
    @Override
    public void enter() {}

    @Override
    public void exit() {}

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public String description() {
      return query;
    }
  }

  private CompletableFuture<long[]> start(String query, int batches, AtomicInteger done) {
    OperatorFactory slow =
        TestingOperator.mapping(
            values -> {
              FragmentTestFailures.pause(2);
              done.incrementAndGet();
              return new long[][] {values};
            });
    return CompletableFuture.supplyAsync(
        () -> {
          try (FragmentExecution execution =
              runtime.execute(
                  TestingRuntimes.grouped(3, slow),
                  List.of(source(batches, 10)),
                  new Task(query))) {
            return TestingRuntimes.drain(execution);
          }
        },
        task -> new Thread(task, query).start());
  }

  @Test
  void finishesAShortQueryBesideALongOne() throws Exception {
    AtomicInteger ofLong = new AtomicInteger();
    AtomicInteger ofShort = new AtomicInteger();
    CompletableFuture<long[]> longQuery = start("long", LONG_BATCHES, ofLong);
    while (ofLong.get() < 40) {
      FragmentTestFailures.pause(1);
    }
    int before = ofLong.get();
    CompletableFuture<long[]> shortQuery = start("short", SHORT_BATCHES, ofShort);
    assertEquals(3, shortQuery.get(60, TimeUnit.SECONDS).length);
    int meanwhile = ofLong.get() - before;
    System.out.println(meanwhile + " batches of the other query in the time of " + SHORT_BATCHES);
    assertTrue(meanwhile < 3 * SHORT_BATCHES, meanwhile + " batches: the short query starved");
    assertTrue(meanwhile > SHORT_BATCHES / 3, meanwhile + " batches: the long query starved");
    assertEquals(3, longQuery.get(60, TimeUnit.SECONDS).length);
  }
}
