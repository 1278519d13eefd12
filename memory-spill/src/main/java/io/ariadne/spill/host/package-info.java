/**
 * Stores batches of device memory in host memory: {@link io.ariadne.spill.host.HostSpillStore}, the
 * store below a device, which adds its copies to the host's own memory space.
 *
 * <p>May depend on {@code columnar}, {@code memory} and {@code spill}. Knows no back end: it copies
 * with a {@link io.ariadne.memory.CopyEngine}.
 */
package io.ariadne.spill.host;
