package io.ariadne.pipeline;

import io.ariadne.fragment.memory.BatchMemory;
import io.ariadne.fragment.memory.RetainedMemory;

/**
 * The memory that the in-flight batches of a pipeline hold. Guarded by the fragment's lock.
 *
 * @param all input that is not used up, and output
 * @param output output that was not polled; what it shares with input counts here, too
 */
record InFlightMemory(RetainedMemory all, RetainedMemory output) {
  /** Creates the memory of no batches. */
  InFlightMemory() {
    this(new RetainedMemory(), new RetainedMemory());
  }

  /** Adds the memory of an output. */
  void addOutput(BatchMemory memory) {
    all.add(memory);
    output.add(memory);
  }

  /** Removes the memory of an output that was polled. */
  void removeOutput(BatchMemory memory) {
    all.remove(memory);
    output.remove(memory);
  }
}
