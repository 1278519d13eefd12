package io.ariadne.spill.host;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.memory.MemoryPool;
import io.ariadne.spill.SpillStore;
import java.util.ArrayList;
import java.util.List;

/**
 * A store of a device's batches as one of host batches, for tests of what all stores promise: they
 * are copied to the device before and back afterwards.
 */
public final class HostBatchesOnDevice implements SpillStore {
  private final SpillStore below;
  private final DeviceBatches batches;
  private final MemoryPool device;
  private final MemoryPool spare;

  /**
   * Wraps a store.
   *
   * @param below the store below the device
   * @param batches makes the copies
   * @param device memory of the device
   * @param spare memory of the host for readers who are to lack that of the device
   */
  public HostBatchesOnDevice(
      SpillStore below, DeviceBatches batches, MemoryPool device, MemoryPool spare) {
    this.below = below;
    this.batches = batches;
    this.device = device;
    this.spare = spare;
  }

  @Override
  public List<Block> write(List<RecordBatch> written) {
    List<RecordBatch> onDevice = new ArrayList<>();
    try {
      for (RecordBatch batch : written) {
        onDevice.add(batches.toDevice(batch, device, true));
      }
      return below.write(onDevice);
    } finally {
      onDevice.forEach(RecordBatch::close);
    }
  }

  @Override
  public RecordBatch read(Block block, BufferAllocator allocator) {
    long limit = ((MemoryPool) allocator).limitInBytes();
    if (limit >= device.limitInBytes()) {
      return read(block, device, allocator);
    }
    MemoryPool small = device.newChild("small", limit);
    try {
      return read(block, small, spare);
    } finally {
      small.close();
    }
  }

  private RecordBatch read(Block block, MemoryPool from, BufferAllocator allocator) {
    try (RecordBatch onDevice = below.read(block, from)) {
      return batches.toHost(onDevice, allocator);
    }
  }

  @Override
  public void delete(Block block) {
    below.delete(block);
  }

  @Override
  public MemoryTier tier() {
    return below.tier();
  }

  @Override
  public long storedBytes() {
    return below.storedBytes();
  }

  @Override
  public long limitInBytes() {
    return below.limitInBytes();
  }

  @Override
  public void close() {
    below.close();
  }
}
