package io.ariadne.shuffle.catalog;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.spill.SpillStore;
import java.util.List;

/** A store whose bytes can be damaged, all at once. */
final class DamagedStore implements SpillStore {
  private final SpillStore store;
  private volatile boolean isDamaged;

  DamagedStore(SpillStore store) {
    this.store = store;
  }

  void damage() {
    isDamaged = true;
  }

  @Override
  public List<Block> write(List<RecordBatch> batches) {
    return store.write(batches);
  }

  @Override
  public RecordBatch read(Block block, BufferAllocator allocator) {
    if (isDamaged) {
      throw new EngineException(ErrorCode.CORRUPT_DATA, "damaged by a test");
    }
    return store.read(block, allocator);
  }

  @Override
  public void delete(Block block) {
    store.delete(block);
  }

  @Override
  public MemoryTier tier() {
    return store.tier();
  }

  @Override
  public long storedBytes() {
    return store.storedBytes();
  }

  @Override
  public long limitInBytes() {
    return store.limitInBytes();
  }

  @Override
  public void close() {
    store.close();
  }
}
