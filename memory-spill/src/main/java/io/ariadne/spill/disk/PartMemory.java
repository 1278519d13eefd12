package io.ariadne.spill.disk;

import io.ariadne.columnar.buffer.BufferAllocator;

/**
 * Where the buffers of a batch come from that is read back.
 *
 * @param host memory of those that were on the host
 * @param device memory of those that were on a device; null for a batch that had none there
 */
record PartMemory(BufferAllocator host, BufferAllocator device) {
  /** Returns memory of buffers that were on the device, or were not. */
  BufferAllocator of(boolean onDevice) {
    return onDevice ? device : host;
  }
}
