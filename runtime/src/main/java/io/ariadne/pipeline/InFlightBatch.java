package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.fragment.memory.BatchMemory;
import io.ariadne.fragment.memory.RetainedMemory;
import io.ariadne.memory.Reservation;
import io.ariadne.operator.Split;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * A batch or a split that a pipeline has let in, with the output it has caused so far. Batches wait
 * in it wherever their memory is needed least. Guarded by the fragment's lock, except that the task
 * it was given to handles the input without it.
 */
final class InFlightBatch {
  private final long sequence;
  private final RetainedMemory held;
  private final Deque<Output> outputs = new ArrayDeque<>();
  private final boolean flush;
  private QueuedBatch waiting;
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
      long sequence, RetainedMemory held, QueuedBatch waiting, Split split, long splitBytes) {
    this.sequence = sequence;
    this.held = held;
    this.waiting = waiting;
    this.split = split;
    this.splitBytes = splitBytes;
    this.flush = waiting == null && split == null;
  }

  /**
   * Takes ownership of a batch with its place in the pipeline's stream.
   *
   * @param held counts the input until completed, and outputs until polled; this and the others
   * @param memory what the batch holds
   */
  static InFlightBatch ofBatch(
      long sequence, RetainedMemory held, QueuedBatch input, BatchMemory memory) {
    InFlightBatch inFlight = new InFlightBatch(sequence, held, input, null, 0);
    inFlight.setInputMemory(memory);
    return inFlight;
  }

  /** Takes ownership of a split, which holds so many bytes, with its place in the stream. */
  static InFlightBatch ofSplit(long sequence, RetainedMemory held, Split split, long bytes) {
    return new InFlightBatch(sequence, held, null, split, bytes);
  }

  /** Stands for the output of a driver that finishes. */
  static InFlightBatch ofFlush(long sequence, RetainedMemory held) {
    return new InFlightBatch(sequence, held, null, null, 0);
  }

  long sequence() {
    return sequence;
  }

  /** Returns whether this stands for the output of a driver that finishes. */
  boolean isFlush() {
    return flush;
  }

  /** Notes what memory the input holds that is being worked on. */
  void setInputMemory(BatchMemory memory) {
    held.remove(inputMemory);
    inputMemory = memory;
    held.add(memory);
  }

  /** Returns the split, which stays owned by the admission; null when it has none any more. */
  Split split() {
    return split;
  }

  /** Hands over the split. */
  Split takeSplit() {
    Split taken = split;
    split = null;
    return taken;
  }

  /** Notes that the split is driven from now on. */
  void start() {
    started = true;
  }

  /** Returns whether this is a split that is or was driven. */
  boolean isStarted() {
    return started;
  }

  /** Returns bytes that only the input holds, and what it shares with others. */
  long inputBytes() {
    long bytes = inputMemory.ownBytes();
    for (BatchMemory.Shared shared : inputMemory.shared()) {
      bytes += shared.bytes();
    }
    return bytes;
  }

  /** Returns what the split holds while it is driven. */
  long splitBytes() {
    return splitBytes;
  }

  /** Returns whether output waits to be polled. */
  boolean hasOutput() {
    return !outputs.isEmpty();
  }

  /** Returns a future that completes when the task is to go on. */
  CompletableFuture<Void> pause() {
    paused = new CompletableFuture<>();
    return paused;
  }

  boolean isPaused() {
    return paused != null;
  }

  /** Lets the task go on that was paused. */
  void resume() {
    CompletableFuture<Void> resumed = paused;
    paused = null;
    resumed.complete(null);
  }

  /** Returns the input that waits, still owned by this; null when it was handed over. */
  QueuedBatch waiting() {
    return waiting;
  }

  /** Hands over the input if it is in memory; null when it must be loaded first, or is being. */
  RecordBatch takeInputIfInMemory() {
    if (loading != null) {
      return null;
    }
    RecordBatch taken = loaded == null ? waiting.takeIfInMemory() : loaded;
    if (taken != null) {
      waiting = null;
      loaded = null;
    }
    return taken;
  }

  /** Returns whether the input must be loaded before it is worked on and nobody does that yet. */
  boolean isToBeLoaded() {
    return loading == null && waiting != null && !waiting.isInMemory();
  }

  /** Returns whether somebody loads the input. */
  boolean isLoading() {
    return loading != null;
  }

  /** Notes that somebody loads the input; returns what is complete when it is there. */
  CompletableFuture<Void> load() {
    if (loading == null) {
      loading = new CompletableFuture<>();
    }
    return loading;
  }

  /** Notes that nobody wants the input any more. */
  void drop() {
    dropped = true;
    closeReservation();
  }

  /** Returns whether nobody wants the input any more. */
  boolean isDropped() {
    return dropped;
  }

  /** Returns whether memory was reserved for the work, or that was given up. */
  boolean isPrepared() {
    return prepared;
  }

  /** Takes what the work is to spend, owned by this from now on; null for nothing. */
  void prepare(Reservation reserved) {
    closeReservation();
    prepared = true;
    reservation = reserved;
    if (dropped) {
      closeReservation();
    }
  }

  /** Gives back what was reserved for the work, which cannot begin yet. */
  void unprepare() {
    prepared = false;
    closeReservation();
  }

  /** Returns what the work is to spend, still owned by this; null for nothing. */
  Reservation reservation() {
    return reservation;
  }

  /**
   * Takes the input that was loaded, owned by this from now on.
   *
   * @param input the batch, or null when it waits as before
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

  /** Makes the input an output, for a pipeline that does nothing with it. */
  void passOn() {
    BatchMemory memory = inputMemory;
    outputs.add(new Output(waiting, memory));
    held.add(memory);
    waiting = null;
  }

  /**
   * Adds an output.
   *
   * @param memory what the batch holds
   */
  void add(QueuedBatch output, BatchMemory memory) {
    outputs.add(new Output(output, memory));
    held.add(memory);
  }

  /** Says that no more output comes. */
  void complete() {
    completed = true;
    closeReservation();
    setInputMemory(BatchMemory.NONE);
  }

  /** Returns the next output, owned by the caller, or null when there is none now. */
  QueuedBatch poll() {
    Output output = outputs.poll();
    if (output == null) {
      return null;
    }
    held.remove(output.memory());
    return output.batch();
  }

  /** Returns whether it is complete and all output was polled. */
  boolean isOver() {
    return completed && outputs.isEmpty();
  }

  private void closeReservation() {
    if (reservation != null) {
      reservation.close();
      reservation = null;
    }
  }

  /** Closes what it still holds. */
  void close(Closer closer) {
    closer.close(this::closeReservation);
    closer.close(waiting);
    waiting = null;
    closer.close(loaded);
    loaded = null;
    closer.close(takeSplit());
    for (QueuedBatch output = poll(); output != null; output = poll()) {
      closer.close(output);
    }
  }
}
