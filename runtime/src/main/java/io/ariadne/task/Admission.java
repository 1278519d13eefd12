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
  private final Deque<RecordBatch> outputs = new ArrayDeque<>();
  private final boolean flush;
  private RecordBatch input;
  private Split split;
  private long inputBytes;
  private long outputBytes;
  private boolean completed;
  private CompletableFuture<Void> paused;

  private Admission(long sequence, RecordBatch input, Split split) {
    this.sequence = sequence;
    this.input = input;
    this.split = split;
    this.flush = input == null && split == null;
    this.inputBytes = input == null ? 0 : input.sizeInBytes();
  }

  /** Takes ownership of a batch with its place in the pipeline's stream. */
  static Admission ofBatch(long sequence, RecordBatch input) {
    return new Admission(sequence, input, null);
  }

  /** Takes ownership of a split with its place in the pipeline's stream. */
  static Admission ofSplit(long sequence, Split split) {
    return new Admission(sequence, null, split);
  }

  /** Stands for the output of a lane that finishes. */
  static Admission ofFlush(long sequence) {
    return new Admission(sequence, null, null);
  }

  long sequence() {
    return sequence;
  }

  /** Returns whether this stands for the output of a lane that finishes. */
  boolean isFlush() {
    return flush;
  }

  /** Returns bytes of the input until completed, and of the outputs not yet polled. */
  long bytes() {
    return inputBytes + outputBytes;
  }

  /** Notes how many bytes of input are being worked on. */
  void setInputBytes(long bytes) {
    inputBytes = bytes;
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
    outputs.add(output);
    outputBytes += output.sizeInBytes();
  }

  /** Says that no more output comes. */
  void complete() {
    completed = true;
    inputBytes = 0;
  }

  /** Returns the next output, owned by the caller, or null when there is none now. */
  RecordBatch poll() {
    RecordBatch output = outputs.poll();
    if (output != null) {
      outputBytes -= output.sizeInBytes();
    }
    return output;
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
