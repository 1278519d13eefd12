package io.ariadne.rules.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.memory.testing.Await;
import io.ariadne.operator.exchange.KeyFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An executor asks for a filter until it has it, without a wait of the task. */
class TestProcessFilters {
  private static final long ID = 7;
  private static final KeyFilter FILTER = KeyFilter.of(List.of(new int[] {1}));

  private final Answers driver = new Answers();
  private ExecutorRuntime runtime;
  private ProcessFilters filters;

  @BeforeEach
  void start() {
    runtime = ExecutorRuntime.start(RuntimeConfig.of(1, 64L << 20));
    filters = ProcessFilters.of(runtime);
  }

  @AfterEach
  void stop() {
    runtime.close();
  }

  @Test
  void filterIsFoundOnceItIsComplete() {
    assertNull(filters.find(ID), "no driver is connected");
    filters.connect(driver);
    Await.until(() -> filters.find(ID) == null && driver.asked.get() >= 2);
    driver.answer = complete(FILTER);
    Await.until(() -> filters.find(ID) != null);
    int asked = driver.asked.get();
    assertSame(FILTER, filters.find(ID));
    assertEquals(asked, driver.asked.get(), "asked again");
  }

  private static ProcessFilters.Found complete(KeyFilter filter) {
    return new ProcessFilters.Found(FilterBoard.State.COMPLETE, filter);
  }

  @Test
  void driverThatDoesNotAnswerIsAskedAgain() {
    driver.answer = null;
    filters.connect(driver);
    Await.until(() -> filters.find(ID) == null && driver.asked.get() >= 2);
    assertTrue(filters.isWanted(ID));
    driver.answer = complete(FILTER);
    Await.until(() -> filters.find(ID) != null);
  }

  @Test
  void filterThatIsGoneIsNotAskedForAgain() throws InterruptedException {
    driver.answer = new ProcessFilters.Found(FilterBoard.State.GONE, null);
    filters.connect(driver);
    Await.until(() -> filters.find(ID) == null && driver.asked.get() == 1);
    for (int i = 0; i < 20; i++) {
      Thread.sleep(5);
      assertNull(filters.find(ID));
    }
    assertEquals(1, driver.asked.get());
    assertFalse(filters.isWanted(ID));
  }

  @Test
  void oldestFiltersAreForgotten() {
    KeyFilter large = KeyFilter.ofWords(new long[2 << 20]);
    driver.answer = complete(large);
    filters.connect(driver);
    for (long id = 1; id <= 4; id++) {
      long wanted = id;
      Await.until(() -> filters.find(wanted) != null);
    }
    assertEquals(4, driver.asked.get());
    assertNull(filters.find(1), "four filters have more than the limit");
    Await.until(() -> filters.find(1) != null);
  }

  @Test
  void partsAreSent() {
    filters.send(new FilterPart(ID, 0, 1, List.of()));
    filters.connect(driver);
    FilterPart part = new FilterPart(ID, 0, 1, List.of(new int[] {1}));
    filters.send(part);
    assertEquals(List.of(part), driver.sent);
    runtime.close();
    filters.send(part);
    assertNull(filters.find(ID));
    assertTrue(driver.sent.size() == 1, "sent after the end");
  }

  private static final class Answers implements ProcessFilters.Driver {
    private final AtomicInteger asked = new AtomicInteger();
    private final List<FilterPart> sent = new ArrayList<>();
    private volatile ProcessFilters.Found answer =
        new ProcessFilters.Found(FilterBoard.State.PENDING, null);

    @Override
    public ProcessFilters.Found find(long filter) throws IOException {
      asked.incrementAndGet();
      ProcessFilters.Found given = answer;
      if (given == null) {
        throw new IOException("no answer");
      }
      return given;
    }

    @Override
    public void send(FilterPart part) {
      sent.add(part);
    }
  }
}
