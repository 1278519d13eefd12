/**
 * Limits and accounts for memory: {@link io.ariadne.memory.MemoryPool} has a hard limit, and a
 * {@link io.ariadne.memory.Reservation} sets bytes of a pool aside before work starts.
 *
 * <p>May depend on {@code columnar.buffer} and {@code error}. Knows nothing of columns, operators,
 * tasks or Spark. A pool takes its memory from a {@link io.ariadne.memory.MemorySource}, such as
 * the operating system or a device.
 */
package io.ariadne.memory;
