package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.fragment.control.FragmentWork;
import java.util.concurrent.CompletableFuture;

/** Work of one pipeline driver on one in-flight batch, split or flush. */
abstract class DriverWork extends FragmentWork {
  private final PipelineRun pipeline;
  private final PipelineDriver driver;
  private InFlightBatch inFlight;
  private final TimeSlice slice = new Slice();
  private boolean hasEmitted;

  /** Whether the driver is counted among those that wait for an operator. */
  private boolean isBlocked;

  /** The failure, thrown once the driver holds no earlier rows; null if nothing has failed. */
  private Throwable failure;

  /** The operator that failed, as in {@link PipelineDriver#activeIndex}; -1 for the input. */
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

  /** Attributes the driver's further work to the next batch. */
  final void continueWith(InFlightBatch next) {
    inFlight = next;
  }

  @Override
  protected final CompletableFuture<Void> work() {
    setBlocked(false);
    CompletableFuture<Void> wait = workOnRows();
    boolean mustWait = wait != null && !wait.isDone();
    setBlocked(mustWait && driver.state() == PipelineDriver.State.BLOCKED);
    return wait;
  }

  private void setBlocked(boolean isNow) {
    if (isBlocked != isNow) {
      isBlocked = isNow;
      control().lock();
      try {
        pipeline.driverBlocked(isNow);
      } finally {
        control().unlock();
      }
    }
  }

  private CompletableFuture<Void> workOnRows() {
    if (failure == null) {
      try {
        return workOnInput();
      } catch (Throwable e) { // user code throws checked exceptions that no signature names
        failure = e;
        failedIndex = failedAt();
      }
    }
    CompletableFuture<Void> wait = emitEarlierRows();
    if (wait != null) {
      return wait;
    }
    if (driver.hasEndedBehind(failedIndex)) {
      endInput();
      return driver.process(slice);
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

  /** Works on the input, as {@link #work()} specifies. */
  abstract CompletableFuture<Void> workOnInput();

  /** Returns the index of the operator that failed, -1 for the driver's input. */
  int failedAt() {
    return driver.activeIndex();
  }

  /** Closes the rest of the input, which is not wanted. */
  void endInput() {}

  /**
   * Emits the rows behind the operator that has failed. They come before the rows that it failed
   * for: a single thread would have emitted them first, one of them may fail first, or they may be
   * all that is wanted.
   *
   * @return null when nothing is left behind the operator that fails first, else as {@link #work()}
   */
  private CompletableFuture<Void> emitEarlierRows() {
    while (true) {
      try {
        return driver.processBehind(failedIndex, slice);
      } catch (Throwable e) { // as above
        failure = e;
        failedIndex = driver.activeIndex();
      }
    }
  }

  /** Lets the driver work, as {@link PipelineDriver#process}. */
  final CompletableFuture<Void> runDriver() {
    return driver.process(slice);
  }

  /**
   * Lets an operator emit the rows that it buffers for a larger batch, as {@link
   * PipelineDriver#flush}, unless it may wait for more of them.
   */
  final boolean flushDriver() {
    return !keepsBufferedRows() && driver.flush();
  }

  /**
   * Returns whether rows stay buffered until a batch is full or the input ends. No consumer waits
   * for them where the pipeline ends in a sink.
   */
  private boolean keepsBufferedRows() {
    return pipeline.sink() != null
        && pipeline.context().backend().batchSize().spansInputs()
        && !pipeline.memory().isScarce();
  }

  @Override
  protected final void finished() {
    pipeline.driverFinished(driver, inFlight);
  }

  @Override
  protected final void failed(Throwable problem) {
    pipeline.failAt(inFlight.sequence(), problem);
  }

  @Override
  protected String requester() {
    return driver.active() + " for " + inputName();
  }

  /** Returns the name of the input in messages. */
  abstract String inputName();

  @Override
  public final String toString() {
    return inputName() + " at distance " + distance() + " of " + control();
  }

  /** Limits the driver to the time slice of the work item and gives its output to the pipeline. */
  private final class Slice implements TimeSlice {
    @Override
    public boolean hasTime() {
      return hasTimeLeft();
    }

    @Override
    public CompletableFuture<Void> backPressure() {
      return hasEmitted ? pipeline.backPressure(inFlight) : null;
    }

    @Override
    public void emit(RecordBatch output) {
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
}
