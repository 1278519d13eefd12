package io.ariadne.operator;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.kernel.column.ColumnTransfer;
import io.ariadne.spill.SpillSpace;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * What an operator gets from whoever runs it.
 *
 * @param allocator source of the operator's buffers in host memory
 * @param kernelAllocator source of its buffers that kernels see: memory of the back end's tier
 * @param backend where kernels run
 * @param cancelled true when the work is no longer wanted; long calls look at it and return early
 * @param errorReplay how the error of an expression becomes the exception the user sees
 * @param spill where batches of {@code allocator} are kept that are not needed for some time
 * @param kernelSpill the same for batches of {@code kernelAllocator}; the same object when that is
 *     host memory
 */
public record OperatorContext(
    BufferAllocator allocator,
    BufferAllocator kernelAllocator,
    Backend backend,
    BooleanSupplier cancelled,
    ErrorReplay errorReplay,
    SpillSpace spill,
    SpillSpace kernelSpill) {
  /** Checks for nulls. */
  public OperatorContext {
    Objects.requireNonNull(allocator, "allocator is null");
    Objects.requireNonNull(kernelAllocator, "kernelAllocator is null");
    Objects.requireNonNull(backend, "backend is null");
    Objects.requireNonNull(cancelled, "cancelled is null");
    Objects.requireNonNull(errorReplay, "errorReplay is null");
    Objects.requireNonNull(spill, "spill is null");
    Objects.requireNonNull(kernelSpill, "kernelSpill is null");
  }

  /** Creates a context whose batches stay in memory; arguments as in the full constructor. */
  public OperatorContext(
      BufferAllocator allocator,
      BufferAllocator kernelAllocator,
      Backend backend,
      BooleanSupplier cancelled,
      ErrorReplay errorReplay) {
    this(
        allocator,
        kernelAllocator,
        backend,
        cancelled,
        errorReplay,
        SpillSpace.unmoved(allocator.tier()),
        SpillSpace.unmoved(kernelAllocator.tier()));
  }

  /**
   * Creates a context for a back end whose kernels see host memory; arguments as in the full
   * constructor.
   */
  public OperatorContext(
      BufferAllocator allocator,
      Backend backend,
      BooleanSupplier cancelled,
      ErrorReplay errorReplay) {
    this(allocator, allocator, backend, cancelled, errorReplay);
  }

  /**
   * Creates a context for a back end whose kernels see host memory, whose errors are {@link
   * ErrorReplay#PLAIN}; arguments as in the full constructor.
   */
  public OperatorContext(BufferAllocator allocator, Backend backend, BooleanSupplier cancelled) {
    this(allocator, backend, cancelled, ErrorReplay.PLAIN);
  }

  /** Returns what copies columns between the host and the kernels. */
  public ColumnTransfer transfer() {
    return new ColumnTransfer(allocator, kernelAllocator, backend);
  }
}
