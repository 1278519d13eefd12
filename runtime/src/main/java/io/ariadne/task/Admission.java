package io.ariadne.task;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.Split;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * A batch or a split that a pipeline has let in, with the output it has caused so far. Guarded by
 * the fragment's lock, except that the task it was given to handles the input without it.
 */
final class Admission {
  private final long sequence;
  private final HeldMemory held;
  private final Deque<Output> outputs = new ArrayDeque<>();
  private final boolean flush;
  private RecordBatch input;
  private Split split;
  private BatchMemory inputMemory = BatchMemory.NONE;
  private boolean completed;
  private boolean started;
  private final long splitBytes;
  private CompletableFuture<Void> paused;

  private record Output(RecordBatch batch, BatchMemory memory) {}

  private Admission(
      long sequence, HeldMemory held, RecordBatch input, Split split, long splitBytes) {
    this.sequence = sequence;
    this.held = held;
    this.input = input;
    this.split = split;
    this.splitBytes = splitBytes;
    this.flush = input == null && split == null;
    if (input != null) {
      setInputMemory(BatchMemory.of(input));
    }
  }

  /**
   * Takes ownership of a batch with its place in the pipeline's stream.
   *
   * @param held counts the input until completed, and outputs until polled; this and the others
   */
  static Admission ofBatch(long sequence, HeldMemory held, RecordBatch input) {
    return new Admission(sequence, held, input, null, 0);
  }

  /** Takes ownership of a split, which holds so many bytes, with its place in the stream. */
  static Admission ofSplit(long sequence, HeldMemory held, Split split, long bytes) {
    return new Admission(sequence, held, null, split, bytes);
  }

  /** Stands for the output of a lane that finishes. */
  static Admission ofFlush(long sequence, HeldMemory held) {
    return new Admission(sequence, held, null, null, 0);
  }

  long sequence() {
    return sequence;
  }

  /** Returns whether this stands for the output of a lane that finishes. */
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

  /** Hands over the input. */
  RecordBatch takeInput() {
    RecordBatch taken = input;
    input = null;
    return taken;
  }

  /** Adds an output. */
  void add(RecordBatch output) {
    BatchMemory memory = BatchMemory.of(output);
    outputs.add(new Output(output, memory));
    held.add(memory);
  }

  /** Says that no more output comes. */
  void complete() {
    completed = true;
    setInputMemory(BatchMemory.NONE);
  }

  /** Returns the next output, owned by the caller, or null when there is none now. */
  RecordBatch poll() {
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

  /** Closes what it still holds. */
  void close(Closer closer) {
    closer.close(takeInput());
    closer.close(takeSplit());
    for (RecordBatch output = poll(); output != null; output = poll()) {
      closer.close(output);
    }
  }
}
