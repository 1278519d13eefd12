package io.ariadne.fragment.control;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.compute.ComputeExecutor;
import io.ariadne.spill.SpillSpace;
import java.util.Objects;

/**
 * What a fragment runs with: threads, memory, back end and limits.
 *
 * @param executor runs its work items
 * @param allocator allocates its operators' buffers in host memory
 * @param kernelAllocator allocates their buffers that kernels access; the same allocator if kernels
 *     access host memory
 * @param backend runs its kernels
 * @param limits limits on what is in flight
 * @param shared what all fragments with these settings share
 * @param spill keeps batches in host memory that are not needed for some time
 * @param kernelSpill keeps batches that kernels access
 * @param retryPauseMillis how long a call that found no memory pauses before its first repetition,
 *     at least 0; later pauses are longer
 */
public record FragmentSettings(
    ComputeExecutor executor,
    BufferAllocator allocator,
    BufferAllocator kernelAllocator,
    Backend backend,
    FragmentLimits limits,
    SharedResources shared,
    SpillSpace spill,
    SpillSpace kernelSpill,
    long retryPauseMillis) {
  /** Checks for nulls. */
  public FragmentSettings {
    Objects.requireNonNull(executor, "executor is null");
    Objects.requireNonNull(allocator, "allocator is null");
    Objects.requireNonNull(kernelAllocator, "kernelAllocator is null");
    Objects.requireNonNull(backend, "backend is null");
    Objects.requireNonNull(limits, "limits is null");
    Objects.requireNonNull(shared, "shared is null");
    Objects.requireNonNull(spill, "spill is null");
    Objects.requireNonNull(kernelSpill, "kernelSpill is null");
  }
}
