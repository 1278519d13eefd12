package io.ariadne.spill.disk;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.Reservation;
import io.ariadne.spill.SpillStore;
import java.util.List;

/** Makes a store on disk the tier below a device. */
final class DeviceDiskStore implements SpillStore {
  private static final String OWNER = "parts on the host of a batch read back to the device";

  private final DiskSpillStore disk;
  private final MemoryPool host;

  DeviceDiskStore(DiskSpillStore disk, MemoryPool host) {
    this.disk = disk;
    this.host = host;
  }

  @Override
  public List<Block> write(List<RecordBatch> batches) {
    return disk.write(batches);
  }

  @Override
  public RecordBatch read(Block block, BufferAllocator allocator) {
    // Before anything is locked, because this may evict batches.
    try (Reservation memory = host.secure(OWNER, disk.hostBytes(block))) {
      PartMemory parts = new PartMemory(memory, allocator);
      // Where memory of the device is refused, the disk is read again.
      return allocator.allocateAll(block.memoryBytes(), () -> disk.read(block, parts));
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>A block with parts in host memory is never near: their memory may only be free after the
   * host has moved other batches.
   */
  @Override
  public boolean bringNearer(Block block, Runnable whenNear) {
    return disk.hostBytes(block) == 0;
  }

  @Override
  public void delete(Block block) {
    disk.delete(block);
  }

  @Override
  public MemoryTier tier() {
    return disk.tier();
  }

  @Override
  public long storedBytes() {
    return disk.storedBytes();
  }

  @Override
  public long limitInBytes() {
    return disk.limitInBytes();
  }

  @Override
  public void close() {
    // The owner of the store on disk closes it.
  }
}
