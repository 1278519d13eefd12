package io.ariadne.pipeline;

import io.ariadne.columnar.buffer.Closer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The drivers of a running pipeline. A driver is created when there is work and none is idle, up to
 * a limit. While a driver waits for an operator, another one may work in its place. Guarded by the
 * fragment's lock.
 */
final class DriverPool {
  private final int maxDrivers;
  private final Supplier<PipelineDriver> factory;
  private final List<PipelineDriver> all = new ArrayList<>();
  private final Deque<PipelineDriver> idle = new ArrayDeque<>();
  private final Deque<PipelineDriver> finished = new ArrayDeque<>();
  private int busy;

  /** Of the busy drivers, those that wait for an operator or are queued after that wait. */
  private int blocked;

  /**
   * Creates an empty pool.
   *
   * @param maxDrivers how many drivers may work at the same time; as many more may wait
   * @param factory creates a driver
   */
  DriverPool(int maxDrivers, Supplier<PipelineDriver> factory) {
    this.maxDrivers = maxDrivers;
    this.factory = factory;
  }

  /** Returns whether there is only one driver, which gets all batches in order. */
  boolean isSingle() {
    return maxDrivers == 1;
  }

  /**
   * Returns whether another driver may start work.
   *
   * @param mayReplace tells whether it may be one in the place of a driver that waits; asked only
   *     when that matters
   */
  boolean hasFree(BooleanSupplier mayReplace) {
    return busy < maxDrivers
        || (!isSingle()
            && busy - Math.min(blocked, maxDrivers) < maxDrivers
            && mayReplace.getAsBoolean());
  }

  /** Notes that a busy driver begins to wait for an operator, or ends waiting. */
  void setBlocked(boolean isBlocked) {
    blocked += isBlocked ? 1 : -1;
  }

  /** Returns whether any driver works; a driver that has failed counts as well. */
  boolean isBusy() {
    return busy > 0;
  }

  /** Returns an idle or new driver and marks it busy; requires {@link #hasFree}. */
  PipelineDriver take() {
    busy++;
    return idle.isEmpty() ? create() : idle.remove();
  }

  private PipelineDriver create() {
    PipelineDriver driver = factory.get();
    all.add(driver);
    return driver;
  }

  /** Takes back a driver that can do more work. */
  void free(PipelineDriver driver) {
    busy--;
    idle.push(driver);
  }

  /** Takes back a driver that has emitted everything. */
  void finish(PipelineDriver driver) {
    busy--;
    finished.push(driver);
  }

  /** Creates a driver if there is none: transforms may emit rows even for no input. */
  void makeOne() {
    if (all.isEmpty()) {
      idle.add(create());
    }
  }

  /** Returns an idle driver and marks it busy; null if none is idle. */
  PipelineDriver takeIdle() {
    PipelineDriver driver = idle.poll();
    busy += driver == null ? 0 : 1;
    return driver;
  }

  /** Returns each finished driver once, then null. */
  PipelineDriver pollFinished() {
    return finished.poll();
  }

  /** Closes all drivers; called without the lock, when no work runs any more. */
  void close(Closer closer) {
    all.forEach(closer::close);
    all.clear();
  }

  /** Describes how many drivers there are, and how many are in each state. */
  @Override
  public String toString() {
    Map<PipelineDriver.State, Long> states =
        all.stream()
            .collect(
                Collectors.groupingBy(
                    PipelineDriver::state,
                    () -> new EnumMap<>(PipelineDriver.State.class),
                    Collectors.counting()));
    return busy + " of " + all.size() + " drivers busy, " + maxDrivers + " at once, " + states;
  }
}
