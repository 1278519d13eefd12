package io.ariadne.fragment.control;

import io.ariadne.compute.ComputeExecutor;
import io.ariadne.fragment.memory.PeakHistories;
import io.ariadne.fragment.memory.SplitMemory;
import java.util.Objects;

/**
 * What the fragments of a process share beside compute threads and memory.
 *
 * @param preload threads that read batches back and reserve memory before a compute thread needs
 *     them
 * @param splitMemory what started splits hold
 * @param peaks what batches have taken lately
 */
public record SharedWork(ComputeExecutor preload, SplitMemory splitMemory, PeakHistories peaks) {
  /** Checks for nulls. */
  public SharedWork {
    Objects.requireNonNull(preload, "preload is null");
    Objects.requireNonNull(splitMemory, "splitMemory is null");
    Objects.requireNonNull(peaks, "peaks is null");
  }
}
