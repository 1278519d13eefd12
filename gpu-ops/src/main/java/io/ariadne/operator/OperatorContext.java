package io.ariadne.operator;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * What an operator gets from whoever runs it.
 *
 * @param allocator source of every buffer the operator allocates
 * @param backend where kernels run
 * @param cancelled true when the work is no longer wanted; long calls look at it and return early
 */
public record OperatorContext(
    BufferAllocator allocator, Backend backend, BooleanSupplier cancelled) {
  /** Checks for nulls. */
  public OperatorContext {
    Objects.requireNonNull(allocator, "allocator is null");
    Objects.requireNonNull(backend, "backend is null");
    Objects.requireNonNull(cancelled, "cancelled is null");
  }
}
