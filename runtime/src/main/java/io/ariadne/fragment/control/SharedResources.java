package io.ariadne.fragment.control;

import io.ariadne.compute.ComputeExecutor;
import io.ariadne.fragment.memory.PeakHistories;
import io.ariadne.fragment.memory.SplitMemory;
import java.util.Objects;

/**
 * What the fragments of a process share besides compute threads and memory.
 *
 * @param preload threads that read spilled batches back and reserve memory before a compute thread
 *     needs them
 * @param splitMemory memory that started splits hold
 * @param peaks peak memory of recent batches
 */
public record SharedResources(
    ComputeExecutor preload, SplitMemory splitMemory, PeakHistories peaks) {
  /** Checks for nulls. */
  public SharedResources {
    Objects.requireNonNull(preload, "preload is null");
    Objects.requireNonNull(splitMemory, "splitMemory is null");
    Objects.requireNonNull(peaks, "peaks is null");
  }
}
