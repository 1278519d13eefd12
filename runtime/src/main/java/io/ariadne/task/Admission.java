package io.ariadne.task;

import io.ariadne.columnar.RecordBatch;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A batch that a pipeline has let in, with the output it has caused so far. Guarded by the
 * fragment's lock, except that the task it was given to takes the input without it.
 */
final class Admission {
  private final long sequence;
  private final boolean flush;
  private final Deque<RecordBatch> outputs = new ArrayDeque<>();
  private RecordBatch input;
  private long bytes;
  private boolean completed;

  /**
   * Takes ownership of a batch.
   *
   * @param sequence place in the pipeline's stream
   * @param input the batch, or null for the output of a lane that finishes
   */
  Admission(long sequence, RecordBatch input) {
    this.sequence = sequence;
    this.input = input;
    this.flush = input == null;
    this.bytes = input == null ? 0 : input.sizeInBytes();
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
    return bytes;
  }

  /** Hands over the input. */
  RecordBatch takeInput() {
    RecordBatch taken = input;
    input = null;
    return taken;
  }

  /** Adds an output and returns by how much {@link #bytes} grew. */
  long add(RecordBatch output) {
    long grown = output.sizeInBytes();
    outputs.add(output);
    bytes += grown;
    return grown;
  }

  /** Says that no more output comes; only outputs count in {@link #bytes} from now on. */
  void complete() {
    completed = true;
    bytes = 0;
    for (RecordBatch output : outputs) {
      bytes += output.sizeInBytes();
    }
  }

  /** Returns the next output, owned by the caller, or null when there is none now. */
  RecordBatch poll() {
    RecordBatch output = outputs.poll();
    if (output != null) {
      bytes -= output.sizeInBytes();
    }
    return output;
  }

  /** Returns whether it is complete and all output was polled. */
  boolean isOver() {
    return completed && outputs.isEmpty();
  }

  /** Closes the batches it still holds. */
  void close() {
    if (input != null) {
      takeInput().close();
    }
    for (RecordBatch output = poll(); output != null; output = poll()) {
      output.close();
    }
  }
}
