package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.fragment.memory.BatchMemory;
import io.ariadne.memory.Reservation;
import io.ariadne.operator.Split;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * An in-flight batch, split or flush of a pipeline, with its output so far. Batches are queued
 * where the pipeline's spill space can spill them. Guarded by the fragment's lock, except that the
 * work item that was given the input handles it without the lock.
 */
final class InFlightBatch {
  private final long sequence;
  private final InFlightMemory retained;
  private final Deque<Output> outputs = new ArrayDeque<>();
  private final boolean flush;
  private QueuedBatch waiting;

  /** The input that was taken from memory, until {@link #closeTaken}; else null. */
  private QueuedBatch taken;

  private RecordBatch loaded;
  private CompletableFuture<Void> loading;
  private Reservation reservation;
  private boolean prepared;
  private boolean dropped;
  private Split split;
  private BatchMemory inputMemory = BatchMemory.NONE;
  private boolean completed;
  private boolean started;
  private final long splitBytes;
  private CompletableFuture<Void> paused;

  private record Output(QueuedBatch batch, BatchMemory memory) {}

  private InFlightBatch(
      long sequence, InFlightMemory retained, QueuedBatch waiting, Split split, long splitBytes) {
    this.sequence = sequence;
    this.retained = retained;
    this.waiting = waiting;
    this.split = split;
    this.splitBytes = splitBytes;
    this.flush = waiting == null && split == null;
  }

  /**
   * Takes ownership of a batch.
   *
   * @param sequence position in the pipeline's stream
   * @param retained counts the memory of the input until it is complete, and that of outputs until
   *     they are polled; shared by all in-flight batches of the pipeline
   * @param memory memory that the batch holds
   */
  static InFlightBatch ofBatch(
      long sequence, InFlightMemory retained, QueuedBatch input, BatchMemory memory) {
    InFlightBatch inFlight = new InFlightBatch(sequence, retained, input, null, 0);
    inFlight.setInputMemory(memory);
    return inFlight;
  }

  /**
   * Takes ownership of a split.
   *
   * @param sequence position in the pipeline's stream
   * @param bytes memory that the split holds
   */
  static InFlightBatch ofSplit(long sequence, InFlightMemory retained, Split split, long bytes) {
    return new InFlightBatch(sequence, retained, null, split, bytes);
  }

  /** Creates a place for the output of a driver that finishes. */
  static InFlightBatch ofFlush(long sequence, InFlightMemory retained) {
    return new InFlightBatch(sequence, retained, null, null, 0);
  }

  long sequence() {
    return sequence;
  }

  /** Returns whether this is a place for the output of a driver that finishes. */
  boolean isFlush() {
    return flush;
  }

  /** Sets the memory of the input that a driver works on. */
  void setInputMemory(BatchMemory memory) {
    retained.all().remove(inputMemory);
    inputMemory = memory;
    retained.all().add(memory);
  }

  /** Returns the split, still owned by this; null if there is none. */
  Split split() {
    return split;
  }

  /** Passes ownership of the split to the caller; null if there is none. */
  Split takeSplit() {
    Split taken = split;
    split = null;
    return taken;
  }

  /** Notes that a driver starts on the split. */
  void start() {
    started = true;
  }

  /** Returns whether this is a split that a driver has started on. */
  boolean isStarted() {
    return started;
  }

  /** Returns the bytes of the input, including buffers that it shares with other batches. */
  long inputBytes() {
    long bytes = inputMemory.ownBytes();
    for (BatchMemory.Shared shared : inputMemory.shared()) {
      bytes += shared.bytes();
    }
    return bytes;
  }

  /** Returns the memory that the split holds once it is started. */
  long splitBytes() {
    return splitBytes;
  }

  /** Returns whether output is queued. */
  boolean hasOutput() {
    return !outputs.isEmpty();
  }

  /** Returns a future that completes when the work item shall continue. */
  CompletableFuture<Void> pause() {
    paused = new CompletableFuture<>();
    return paused;
  }

  /** Returns whether the work item is paused. */
  boolean isPaused() {
    return paused != null;
  }

  /** Lets the paused work item continue. */
  void resume() {
    CompletableFuture<Void> resumed = paused;
    paused = null;
    resumed.complete(null);
  }

  /** Returns the queued input, still owned by this; null once it was taken. */
  QueuedBatch waiting() {
    return waiting;
  }

  /**
   * Passes ownership of the input to the caller if it is in memory; null if it must be loaded or is
   * being loaded. The caller calls {@link #closeTaken} afterwards.
   */
  RecordBatch takeInputIfInMemory() {
    if (loading != null) {
      return null;
    }
    RecordBatch input = loaded == null ? waiting.takeIfInMemory() : loaded;
    if (input != null) {
      taken = waiting;
      waiting = null;
      loaded = null;
    }
    return input;
  }

  /** Frees what the taken input has left on disk; called without the lock, since it may block. */
  void closeTaken() {
    if (taken != null) {
      taken.close();
      taken = null;
    }
  }

  /** Returns whether the input must be loaded and no work item does so yet. */
  boolean needsLoading() {
    return loading == null && waiting != null && !waiting.isInMemory();
  }

  /** Returns whether a work item loads the input. */
  boolean isLoading() {
    return loading != null;
  }

  /** Notes that a work item loads the input; returns a future that completes afterwards. */
  CompletableFuture<Void> load() {
    if (loading == null) {
      loading = new CompletableFuture<>();
    }
    return loading;
  }

  /** Notes that the input is not needed any more. */
  void drop() {
    dropped = true;
    closeReservation();
  }

  /** Returns whether the input is not needed any more. */
  boolean isDropped() {
    return dropped;
  }

  /** Returns whether memory was reserved for the work, or the attempt was given up. */
  boolean isPrepared() {
    return prepared;
  }

  /** Takes ownership of a reservation for the work; null to begin without one. */
  void prepare(Reservation reserved) {
    closeReservation();
    prepared = true;
    reservation = reserved;
    if (dropped) {
      closeReservation();
    }
  }

  /** Releases the reservation, because the work cannot begin yet. */
  void unprepare() {
    prepared = false;
    closeReservation();
  }

  /** Returns the reservation for the work, still owned by this; null for none. */
  Reservation reservation() {
    return reservation;
  }

  /**
   * Takes ownership of the loaded input and completes the future of {@link #load}.
   *
   * @param input the batch, or null if it stays queued
   */
  void loaded(RecordBatch input) {
    if (input != null) {
      waiting = null;
      loaded = dropped ? null : input;
    }
    if (input != null && dropped) {
      input.close();
    }
    CompletableFuture<Void> done = loading;
    loading = null;
    done.complete(null);
  }

  /** Makes the input an output, for a pipeline without operators. */
  void passThrough() {
    BatchMemory memory = inputMemory;
    outputs.add(new Output(waiting, memory));
    retained.addOutput(memory);
    waiting = null;
  }

  /**
   * Adds an output.
   *
   * @param memory memory that the batch holds
   */
  void add(QueuedBatch output, BatchMemory memory) {
    outputs.add(new Output(output, memory));
    retained.addOutput(memory);
  }

  /** Notes that the input is used up and no more output follows. */
  void complete() {
    completed = true;
    closeReservation();
    setInputMemory(BatchMemory.NONE);
  }

  /** Returns the next output, owned by the caller, or null if there is none now. */
  QueuedBatch poll() {
    Output output = outputs.poll();
    if (output == null) {
      return null;
    }
    retained.removeOutput(output.memory());
    return output.batch();
  }

  /** Returns whether this is complete and all its output was polled. */
  boolean isOver() {
    return completed && outputs.isEmpty();
  }

  private void closeReservation() {
    if (reservation != null) {
      reservation.close();
      reservation = null;
    }
  }

  /** Closes everything that this still owns. */
  void close(Closer closer) {
    closer.close(this::closeReservation);
    closer.close(waiting);
    waiting = null;
    closer.close(this::closeTaken);
    closer.close(loaded);
    loaded = null;
    closer.close(takeSplit());
    for (QueuedBatch output = poll(); output != null; output = poll()) {
      closer.close(output);
    }
  }
}
