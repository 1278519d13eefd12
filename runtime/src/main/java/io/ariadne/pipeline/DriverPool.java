package io.ariadne.pipeline;

import io.ariadne.columnar.buffer.Closer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/**
 * The drivers of a running pipeline: made when there is work and none is idle, up to a bound.
 * Guarded by the fragment's lock.
 */
final class DriverPool {
  private final int most;
  private final Supplier<PipelineDriver> factory;
  private final List<PipelineDriver> all = new ArrayList<>();
  private final Deque<PipelineDriver> idle = new ArrayDeque<>();
  private final Deque<PipelineDriver> finished = new ArrayDeque<>();
  private int busy;

  /**
   * Creates no drivers.
   *
   * @param most how many there may be
   * @param factory makes them
   */
  DriverPool(int most, Supplier<PipelineDriver> factory) {
    this.most = most;
    this.factory = factory;
  }

  /** Returns whether there is one driver only, which gets all batches in their order. */
  boolean isSingle() {
    return most == 1;
  }

  /** Returns whether another driver may work. */
  boolean hasFree() {
    return busy < most;
  }

  /** Returns whether drivers are at work, or were when they failed. */
  boolean isBusy() {
    return busy > 0;
  }

  /** Returns a driver that is busy from now on; {@link #hasFree()}. */
  PipelineDriver take() {
    busy++;
    return idle.isEmpty() ? made() : idle.remove();
  }

  private PipelineDriver made() {
    PipelineDriver driver = factory.get();
    all.add(driver);
    return driver;
  }

  /** Takes a driver back that is ready for more work. */
  void free(PipelineDriver driver) {
    busy--;
    idle.push(driver);
  }

  /** Takes a driver back that has yielded all it had. */
  void finish(PipelineDriver driver) {
    busy--;
    finished.push(driver);
  }

  /** Makes a driver unless there is one: transforms may yield rows for no input at all. */
  void makeOne() {
    if (all.isEmpty()) {
      idle.add(made());
    }
  }

  /** Returns an idle driver, busy from now on, or null when there are no more. */
  PipelineDriver takeIdle() {
    PipelineDriver driver = idle.poll();
    busy += driver == null ? 0 : 1;
    return driver;
  }

  /** Returns a driver that was finished, each once, or null when there are no more. */
  PipelineDriver pollFinished() {
    return finished.poll();
  }

  /** Frees all; without the lock, when nothing runs any more. */
  void close(Closer closer) {
    all.forEach(closer::close);
    all.clear();
  }

  /** Describes how many there are. */
  @Override
  public String toString() {
    return busy + " of " + all.size() + " drivers busy, " + most + " at most";
  }
}
