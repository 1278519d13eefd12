package io.ariadne.rules.filter;

import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeService;
import io.ariadne.operator.exchange.KeyFilter;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The filters that an executor tests. A thread of its own asks Spark's driver for a filter that
 * tasks want, again and again with growing pauses until it is there. Thread-safe.
 */
public final class ProcessFilters implements RuntimeService {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessFilters.class);

  /** Most bytes of filters. */
  private static final long MAX_BYTES = 48L << 20;

  private static final int MAX_FILTERS = 1000;

  /** So often in a row the driver may not answer. */
  private static final int MAX_FAILURES = 5;

  private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(20).toNanos();
  private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(2).toNanos();

  /** How an executor reaches the {@link FilterBoard}. */
  public interface Driver {
    /**
     * Asks for a filter.
     *
     * @return its state, and the filter if it is complete
     * @throws IOException when the driver does not answer
     */
    Found find(long filter) throws IOException;

    /** Sends a part, without waiting until it arrives. */
    void send(FilterPart part) throws IOException;
  }

  /**
   * An answer of the driver.
   *
   * @param state the state of a filter
   * @param filter the filter, null unless it is complete
   */
  public record Found(FilterBoard.State state, KeyFilter filter) {
    private static final Found PENDING = new Found(FilterBoard.State.PENDING, null);
  }

  /** A filter that tasks have asked for. */
  private static final class Wanted {
    private Found found = Found.PENDING;
    private int failures;
    private boolean isAsked;
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private long nextNanos = System.nanoTime();

    boolean mayAsk() {
      return found.state() == FilterBoard.State.PENDING
          && failures < MAX_FAILURES
          && !isAsked
          && System.nanoTime() - nextNanos >= 0;
    }
  }

  private final ExecutorService asking =
      new ThreadPoolExecutor(
          0, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), ProcessFilters::thread);

  /** By number, the one that was wanted last at the end. */
  private final Map<Long, Wanted> filters = new LinkedHashMap<>(16, 0.75f, true);

  private Driver driver;

  private ProcessFilters() {}

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "ariadne-runtime-filters");
    thread.setDaemon(true);
    return thread;
  }

  /** Returns the filters of a runtime. */
  public static ProcessFilters of(ExecutorRuntime runtime) {
    return runtime.service(ProcessFilters.class, (pool, spill) -> new ProcessFilters());
  }

  /** Connects the filters to Spark's driver; before that, none is found. */
  public synchronized void connect(Driver newDriver) {
    driver = newDriver;
  }

  /** Returns a filter, or null as long as it is not here. Does not wait. */
  public synchronized KeyFilter find(long filter) {
    return look(filter).filter();
  }

  /** Returns whether a filter is not known to be gone, so that parts of it are worth sending. */
  synchronized boolean isWanted(long filter) {
    return look(filter).state() != FilterBoard.State.GONE;
  }

  private Found look(long filter) {
    Wanted wanted = filters.computeIfAbsent(filter, id -> new Wanted());
    if (driver != null && wanted.mayAsk()) {
      wanted.isAsked = true;
      Driver asked = driver;
      try {
        asking.execute(() -> ask(asked, filter, wanted));
      } catch (RejectedExecutionException e) {
        LOG.trace("the runtime ends", e);
      }
    }
    return wanted.found;
  }

  private void ask(Driver asked, long id, Wanted wanted) {
    Found found = null;
    try {
      found = asked.find(id);
    } catch (IOException | RuntimeException e) {
      LOG.debug("cannot ask Spark's driver for runtime filter {}", id, e);
    }
    synchronized (this) {
      wanted.failures = found == null ? wanted.failures + 1 : 0;
      wanted.found = found == null ? Found.PENDING : found;
      wanted.isAsked = false;
      wanted.nextNanos = System.nanoTime() + wanted.pauseNanos;
      wanted.pauseNanos = Math.min(2 * wanted.pauseNanos, LONGEST_PAUSE_NANOS);
      dropUnused(wanted);
    }
  }

  /** Drops filters that have not been wanted for the longest time; those may be asked for again. */
  private void dropUnused(Wanted newest) {
    long bytes = filters.values().stream().mapToLong(ProcessFilters::bytes).sum();
    Iterator<Wanted> all = filters.values().iterator();
    while ((bytes > MAX_BYTES || filters.size() > MAX_FILTERS) && all.hasNext()) {
      Wanted unused = all.next();
      if (unused != newest) {
        bytes -= bytes(unused);
        all.remove();
      }
    }
  }

  private static long bytes(Wanted wanted) {
    KeyFilter filter = wanted.found.filter();
    return filter == null ? 0 : filter.sizeInBytes();
  }

  /** Sends a part of a filter to Spark's driver. A part that does not arrive costs the filter. */
  void send(FilterPart part) {
    Driver asked;
    synchronized (this) {
      asked = driver;
    }
    if (asked != null) {
      try {
        asked.send(part);
      } catch (IOException | RuntimeException e) {
        LOG.warn("cannot send a part of runtime filter {} to Spark's driver", part.filter(), e);
      }
    }
  }

  @Override
  public synchronized void stop() {
    asking.shutdownNow();
    driver = null;
  }

  @Override
  public synchronized void close() {
    filters.clear();
  }
}
