package io.ariadne.spill.disk;

import io.ariadne.columnar.buffer.BufferAllocator;

/**
 * The allocators for the buffers of a batch that is read back.
 *
 * @param host for buffers that were on the host
 * @param device for buffers that were on a device; null for a batch without such buffers
 */
record PartMemory(BufferAllocator host, BufferAllocator device) {
  /** Returns the allocator for buffers of the device, or of the host. */
  BufferAllocator of(boolean onDevice) {
    return onDevice ? device : host;
  }
}
