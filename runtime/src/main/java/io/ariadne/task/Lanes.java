package io.ariadne.task;

import io.ariadne.columnar.buffer.Closer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/**
 * The lanes of a running pipeline: made when there is work and none is idle, up to a bound. Guarded
 * by the fragment's lock.
 */
final class Lanes {
  private final int most;
  private final Supplier<Lane> factory;
  private final List<Lane> all = new ArrayList<>();
  private final Deque<Lane> idle = new ArrayDeque<>();
  private final Deque<Lane> finished = new ArrayDeque<>();
  private int busy;

  /**
   * Creates no lanes.
   *
   * @param most how many there may be
   * @param factory makes them
   */
  Lanes(int most, Supplier<Lane> factory) {
    this.most = most;
    this.factory = factory;
  }

  /** Returns whether there is one lane only, which gets all batches in their order. */
  boolean isSingle() {
    return most == 1;
  }

  /** Returns whether another lane may work. */
  boolean hasFree() {
    return busy < most;
  }

  /** Returns whether lanes are at work, or were when they failed. */
  boolean isBusy() {
    return busy > 0;
  }

  /** Returns a lane that is busy from now on; {@link #hasFree()}. */
  Lane take() {
    busy++;
    return idle.isEmpty() ? made() : idle.remove();
  }

  private Lane made() {
    Lane lane = factory.get();
    all.add(lane);
    return lane;
  }

  /** Takes a lane back that is ready for more work. */
  void free(Lane lane) {
    busy--;
    idle.push(lane);
  }

  /** Takes a lane back that has yielded all it had. */
  void finish(Lane lane) {
    busy--;
    finished.push(lane);
  }

  /** Makes a lane unless there is one: transforms may yield rows for no input at all. */
  void makeOne() {
    if (all.isEmpty()) {
      idle.add(made());
    }
  }

  /** Returns an idle lane, busy from now on, or null when there are no more. */
  Lane takeIdle() {
    Lane lane = idle.poll();
    busy += lane == null ? 0 : 1;
    return lane;
  }

  /** Returns a lane that was finished, each once, or null when there are no more. */
  Lane pollFinished() {
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
    return busy + " of " + all.size() + " lanes busy, " + most + " at most";
  }
}
