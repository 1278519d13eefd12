/**
 * Limits and accounts for memory: {@link io.ariadne.memory.MemoryPool} with its hard limit, {@link
 * io.ariadne.memory.Reservation} for a task's needs.
 *
 * <p>May depend on {@code columnar.buffer} and {@code error}. Knows nothing of columns, operators,
 * tasks or Spark; drivers enter through {@link io.ariadne.memory.MemorySource}.
 */
package io.ariadne.memory;
