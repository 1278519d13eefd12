package io.ariadne.task;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.error.EngineException;
import io.ariadne.operator.Operator;
import java.util.concurrent.CompletableFuture;

/** Work that sends what was let into a pipeline through one of its drivers. */
abstract class DriverWork extends FragmentWork {
  /** An operator that so often in a row is neither blocked nor has output has a bug. */
  private static final int MOST_LOST_RACES = 1000;

  private final PipelineRun pipeline;
  private final PipelineDriver driver;
  private InFlightBatch inFlight;
  private boolean hasEmitted;

  /** What has failed: thrown when nothing is left of what came before; null for nothing. */
  private Throwable failure;

  /** At which of the driver's operators. */
  private int failedIndex;

  DriverWork(PipelineRun pipeline, PipelineDriver driver, InFlightBatch inFlight) {
    super(pipeline.control(), pipeline.distance());
    this.pipeline = pipeline;
    this.driver = driver;
    this.inFlight = inFlight;
  }

  final PipelineRun pipeline() {
    return pipeline;
  }

  final PipelineDriver driver() {
    return driver;
  }

  final InFlightBatch inFlight() {
    return inFlight;
  }

  /** Has what the driver does from now on be caused by another batch, the one right behind. */
  final void goOnWith(InFlightBatch next) {
    inFlight = next;
  }

  @Override
  final CompletableFuture<Void> work() {
    if (failure == null) {
      try {
        return workOnAdmission();
      } catch (Throwable e) { // user code throws checked exceptions that no signature names
        failure = e;
        failedIndex = failedAt();
      }
    }
    CompletableFuture<Void> wait = passKeptBack();
    if (wait != null) {
      return wait;
    }
    if (driver.hasEndedBehind(failedIndex)) {
      endInput();
      return drainDriver();
    }
    if (failedIndex >= 0) {
      driver.activate(failedIndex);
    }
    throw DriverWork.<RuntimeException>unchanged(failure);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException unchanged(Throwable thrown) throws E {
    throw (E) thrown;
  }

  /** Works as {@link #work()} does. */
  abstract CompletableFuture<Void> workOnAdmission();

  /** Returns the number of the driver's operator at which work has failed, -1 for its input. */
  int failedAt() {
    return driver.activeIndex();
  }

  /** Gives up the rest of the input, which nobody wants. */
  void endInput() {}

  /**
   * Has the rows go on that are kept back behind what has failed. They come before those that it
   * failed for: they are put out first, one of them may fail first, or they may be all that is
   * wanted.
   *
   * @return null when nothing is left behind what has failed first, else as {@link #work()}
   */
  private CompletableFuture<Void> passKeptBack() {
    boolean more = true;
    while (more && mayGoOn()) {
      CompletableFuture<Void> room = roomForOutput();
      if (room != null) {
        return room;
      }
      try {
        more = driver.stepBehind(failedIndex, this::emit) || driver.flushBehind(failedIndex);
      } catch (Throwable e) { // as above
        failure = e;
        failedIndex = driver.activeIndex();
      }
    }
    return more ? Operator.NOT_BLOCKED : driver.blockedBehind(failedIndex);
  }

  /** Returns what is to be waited for before the driver may yield output; null for nothing. */
  private CompletableFuture<Void> roomForOutput() {
    return hasEmitted && driver.hasOutput() ? pipeline.roomFor(inFlight) : null;
  }

  /**
   * Lets the driver work until it has nothing to do and nothing is left in it.
   *
   * @return null when it has nothing to do, else as {@link #work()}
   */
  final CompletableFuture<Void> drainDriver() {
    boolean more = true;
    while (more && mayGoOn()) {
      CompletableFuture<Void> room = roomForOutput();
      if (room != null) {
        return room;
      }
      more = driver.step(this::emit);
    }
    if (more) {
      return Operator.NOT_BLOCKED;
    }
    EngineException left = null;
    for (int i = 0; i < MOST_LOST_RACES; i++) {
      CompletableFuture<Void> blocked = driver.blockedOn();
      if (blocked != null) {
        return blocked;
      }
      if (driver.step(this::emit)) {
        return Operator.NOT_BLOCKED; // what had blocked it ended just now
      }
      left = driver.left();
      if (left == null) {
        return null;
      }
      // What it waited for came, and another thread took it before this one did.
    }
    throw left;
  }

  @Override
  final void finished() {
    pipeline.driverFinished(driver, inFlight);
  }

  @Override
  final void failed(Throwable problem) {
    pipeline.failAt(inFlight.sequence(), problem);
  }

  @Override
  String asker() {
    return driver.active() + " for " + what();
  }

  /** Returns what is sent through the driver. */
  abstract String what();

  @Override
  public final String toString() {
    return what() + " at distance " + distance() + " of " + control();
  }

  private void emit(RecordBatch output) {
    hasEmitted = true;
    control().lock();
    try {
      if (!control().isStopped()) {
        pipeline.emit(inFlight, output);
        return;
      }
    } finally {
      control().unlock();
    }
    output.close();
  }
}
