/**
 * Who may hold how much memory: {@link io.ariadne.memory.MemoryPool} with its hard limit and
 * accounting, {@link io.ariadne.memory.Reservation} for a task's needs.
 *
 * <p>May depend on {@code columnar.buffer} and {@code error}. Knows nothing of columns, operators,
 * tasks or Spark; drivers enter through {@link io.ariadne.memory.MemorySource}.
 */
package io.ariadne.memory;
