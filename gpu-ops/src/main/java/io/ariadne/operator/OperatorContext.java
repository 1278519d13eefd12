package io.ariadne.operator;

import io.ariadne.backend.Backend;
import io.ariadne.backend.BatchSize;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.kernel.column.ColumnTransfer;
import io.ariadne.spill.SpillSpace;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * Gives an operator its surroundings: memory, back end, spill space and thread count. Immutable,
 * shared by threads.
 *
 * @param allocator allocates the operator's buffers in host memory
 * @param kernelAllocator allocates the buffers that kernels read and write, in the back end's
 *     memory tier
 * @param backend where kernels run
 * @param cancelled returns true when the result is no longer wanted; long calls poll it and return
 *     early
 * @param errorReplay turns the error of an expression into the exception that the user sees
 * @param spill holds batches of {@code allocator} that are not needed for some time
 * @param kernelSpill holds such batches of {@code kernelAllocator}; the same object as {@code
 *     spill} when kernels use host memory
 * @param threadCount how many threads run operators on the same memory at once, at least 1: each
 *     operator limits its buffers to its share. This is the size of the compute thread pool, not
 *     the processors of the machine
 */
public record OperatorContext(
    BufferAllocator allocator,
    BufferAllocator kernelAllocator,
    Backend backend,
    BooleanSupplier cancelled,
    ErrorReplay errorReplay,
    SpillSpace spill,
    SpillSpace kernelSpill,
    int threadCount) {
  /** The batches that all threads work on take one of this many equal parts of the memory. */
  private static final int BATCH_SHARES = 8;

  /** About how many bytes a row of a batch takes. */
  private static final int ROW_BYTES = 64;

  /** Checks that no argument is null and that there is a thread. */
  public OperatorContext {
    Objects.requireNonNull(allocator, "allocator is null");
    Objects.requireNonNull(kernelAllocator, "kernelAllocator is null");
    Objects.requireNonNull(backend, "backend is null");
    Objects.requireNonNull(cancelled, "cancelled is null");
    Objects.requireNonNull(errorReplay, "errorReplay is null");
    Objects.requireNonNull(spill, "spill is null");
    Objects.requireNonNull(kernelSpill, "kernelSpill is null");
    if (threadCount < 1) {
      throw new IllegalArgumentException("threadCount is " + threadCount + ", at least 1 needed");
    }
  }

  /**
   * Creates a context for one thread whose batches stay in memory. The arguments are those of the
   * full constructor.
   */
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
        SpillSpace.unmoved(kernelAllocator.tier()),
        1);
  }

  /**
   * Creates a context for one thread and a back end whose kernels use host memory. The arguments
   * are those of the full constructor.
   */
  public OperatorContext(
      BufferAllocator allocator,
      Backend backend,
      BooleanSupplier cancelled,
      ErrorReplay errorReplay) {
    this(allocator, allocator, backend, cancelled, errorReplay);
  }

  /**
   * Creates a context for one thread and a back end whose kernels use host memory, with {@link
   * ErrorReplay#PLAIN}. The arguments are those of the full constructor.
   */
  public OperatorContext(BufferAllocator allocator, Backend backend, BooleanSupplier cancelled) {
    this(allocator, backend, cancelled, ErrorReplay.PLAIN);
  }

  /** Returns a context on the same memory and back end for another number of threads. */
  public OperatorContext withThreadCount(int threads) {
    return new OperatorContext(
        allocator, kernelAllocator, backend, cancelled, errorReplay, spill, kernelSpill, threads);
  }

  /** Returns the context of operators that run on the host: this one if kernels do so anyway. */
  public OperatorContext onHost() {
    Backend host = backend.host();
    return host == backend
        ? this
        : new OperatorContext(
            allocator, allocator, host, cancelled, errorReplay, spill, spill, threadCount);
  }

  /**
   * Returns the most rows of a batch that an operator makes of its state: what suits the back end,
   * fewer where its memory is small.
   */
  public int outputRows() {
    return fittingRows(backend.batchSize().outputRows());
  }

  /** Returns the most rows of a batch that a scan makes for kernels, as {@link #outputRows}. */
  public int inputRows() {
    return fittingRows(backend.batchSize().fullRows());
  }

  private int fittingRows(int most) {
    long share = kernelSpill.capacityInBytes() / BATCH_SHARES / threadCount;
    return (int) Math.min(Math.max(share / ROW_BYTES, BatchSize.HOST.outputRows()), most);
  }

  /** Returns a transfer that copies columns between host memory and kernel memory. */
  public ColumnTransfer transfer() {
    return new ColumnTransfer(allocator, kernelAllocator, backend);
  }
}
