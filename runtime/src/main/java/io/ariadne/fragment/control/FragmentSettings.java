package io.ariadne.fragment.control;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.compute.ComputeExecutor;
import io.ariadne.spill.SpillSpace;
import java.util.Objects;

/**
 * What a fragment runs with.
 *
 * @param executor where its work runs
 * @param allocator source of its operators' buffers in host memory
 * @param kernelAllocator source of their buffers that kernels see; the same when that is host
 *     memory
 * @param backend where its kernels run
 * @param limits bounds on what is in flight
 * @param shared what all fragments with these settings share
 * @param spill where batches in host memory are kept that are not needed for some time
 * @param kernelSpill the same for batches that kernels see
 */
public record FragmentSettings(
    ComputeExecutor executor,
    BufferAllocator allocator,
    BufferAllocator kernelAllocator,
    Backend backend,
    FragmentLimits limits,
    SharedWork shared,
    SpillSpace spill,
    SpillSpace kernelSpill) {
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
