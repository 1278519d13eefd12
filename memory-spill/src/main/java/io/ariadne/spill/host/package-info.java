/**
 * Stores batches of device memory in host memory. {@link io.ariadne.spill.host.HostSpillStore} is
 * the spill store below a device. It adds its copies to the host's spill space, so that they may be
 * spilled to disk later.
 *
 * <p>May depend on {@code columnar}, {@code memory} and {@code spill}. Knows no back end: it copies
 * with a {@link io.ariadne.memory.CopyEngine}.
 */
package io.ariadne.spill.host;
