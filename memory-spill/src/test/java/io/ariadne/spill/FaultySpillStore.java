package io.ariadne.spill;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A store whose calls fail when it is told. */
final class FaultySpillStore implements SpillStore {
  private final SpillStore store;
  private final BooleanSupplier fails;
  private final BooleanSupplier deleteFails;

  FaultySpillStore(SpillStore store, BooleanSupplier fails) {
    this(store, fails, () -> false);
  }

  /** Creates a store some of whose deletions throw after they have freed the bytes. */
  FaultySpillStore(SpillStore store, BooleanSupplier fails, BooleanSupplier deleteFails) {
    this.store = store;
    this.fails = fails;
    this.deleteFails = deleteFails;
  }

  private void fail(String what) {
    if (fails.getAsBoolean()) {
      throw new EngineException(ErrorCode.OUT_OF_MEMORY, "injected: " + what);
    }
  }

  @Override
  public List<Block> write(List<RecordBatch> batches) {
    fail("write");
    return store.write(batches);
  }

  @Override
  public RecordBatch read(Block block, BufferAllocator allocator) {
    fail("read");
    return store.read(block, allocator);
  }

  @Override
  public void delete(Block block) {
    store.delete(block);
    if (deleteFails.getAsBoolean()) {
      throw new IllegalStateException("injected: delete");
    }
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
