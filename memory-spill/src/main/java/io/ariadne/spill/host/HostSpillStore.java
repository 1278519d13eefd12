package io.ariadne.spill.host;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.WorkOwner;
import io.ariadne.memory.CopyEngine;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.Reservation;
import io.ariadne.spill.SpillOrigin;
import io.ariadne.spill.SpillSpace;
import io.ariadne.spill.SpillStore;
import io.ariadne.spill.SpillableBatch;
import io.ariadne.spill.StoredBlocks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stores batches of device memory in host memory. The copies are spillable batches of the host's
 * own space, which moves them to its stores when the host runs short.
 *
 * <p>Parts of a batch that were on the host all along stay there: string heaps and dictionaries
 * among them are retained, not copied. A dictionary that several batches use is copied once; heaps
 * that are little used are compacted. A write takes host memory that is free or that evictions free
 * at once, and does not wait for more: the store is full then. A read waits for host memory as any
 * allocation does. A thread takes locks of the device before those of the host, never the other way
 * round.
 */
public final class HostSpillStore implements SpillStore {
  private static final String OWNER = "batches moved from the device";

  private final MemoryPool host;
  private final SpillSpace space;
  private final CopyEngine device;
  private final StoredBlocks<HostedBatch> batches = new StoredBlocks<>();
  private final Map<Long, HostedDictionary> dictionaries = new ConcurrentHashMap<>();
  private final AtomicLong storedBytes = new AtomicLong();

  /**
   * A batch on the host.
   *
   * @param content the copies
   * @param places which parts of columns are read back to the device
   * @param dictionaries dictionaries of the device, in the order of their columns
   * @param bytes bytes of the copies
   */
  private record HostedBatch(
      SpillableBatch content,
      List<ColumnPlaces> places,
      List<HostedDictionary> dictionaries,
      long bytes) {}

  /**
   * Opens a store.
   *
   * @param host memory of the copies, HOST or PINNED; the caller keeps ownership
   * @param space takes the copies, over {@code host}; closed after this store
   * @param device copies between the host and the device
   */
  public HostSpillStore(MemoryPool host, SpillSpace space, CopyEngine device) {
    this.host = host;
    this.space = space;
    this.device = device;
  }

  @Override
  public MemoryTier tier() {
    return host.tier();
  }

  @Override
  public List<Block> write(List<RecordBatch> written) {
    return write(written, written.stream().map(batch -> SpillOrigin.UNKNOWN).toList());
  }

  @Override
  public List<Block> write(List<RecordBatch> written, List<SpillOrigin> origins) {
    batches.checkOpen();
    List<Block> blocks = new ArrayList<>();
    try {
      for (int i = 0; i < written.size(); i++) {
        // One by one: the host may move earlier copies to disk for later ones.
        try (Reservation memory = reserve(maxBytes(written.get(i)))) {
          blocks.add(write(written.get(i), origins.get(i), memory));
        }
      }
      return blocks;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      blocks.forEach(block -> closer.close(() -> delete(block)));
      closer.suppressIn(e);
      throw e;
    }
  }

  private static long maxBytes(RecordBatch batch) {
    Map<Long, Long> entries = new HashMap<>();
    long bytes = batch.ownSizeInBytes();
    for (int i = 0; i < batch.columnCount(); i++) {
      ColumnVector column = batch.column(i);
      bytes += heapBytes(column);
      if (column.dictionary() != null) {
        entries.put(column.dictionary().id(), column.dictionary().sizeInBytes());
      }
    }
    return bytes + entries.values().stream().mapToLong(Long::longValue).sum();
  }

  private static long heapBytes(ColumnVector column) {
    long bytes = column.heaps().stream().mapToLong(heap -> heap.capacityInBytes()).sum();
    return bytes + column.children().stream().mapToLong(HostSpillStore::heapBytes).sum();
  }

  /** Reserves host memory that is free or that evictions free at once; does not wait for more. */
  private Reservation reserve(long bytes) {
    Reservation memory = host.tryReserve(OWNER, bytes);
    // Other threads may take the freed memory in between: evict again.
    while (memory == null && space.makeRoom(() -> bytes - host.availableBytes()) > 0) {
      memory = host.tryReserve(OWNER, bytes);
    }
    memory = memory == null ? host.tryReserve(OWNER, bytes) : memory;
    if (memory == null) {
      throw new EngineException(
          ErrorCode.OUT_OF_MEMORY,
          bytes + " bytes cannot leave the device: the host is full: " + host.state());
    }
    return memory;
  }

  private Block write(RecordBatch batch, SpillOrigin origin, Reservation memory) {
    List<ColumnPlaces> places = new ArrayList<>();
    List<HostedDictionary> used = new ArrayList<>();
    List<ColumnVector> copies = new ArrayList<>();
    try {
      long deviceBytes = 0;
      for (int i = 0; i < batch.columnCount(); i++) {
        ColumnVector column = batch.column(i);
        ColumnPlaces place = ColumnPlaces.of(column);
        places.add(place);
        if (place.dictionary()) {
          used.add(use(column.dictionary()));
          deviceBytes += used.get(used.size() - 1).bytes();
        }
        copies.add(copyToHost(column, place, memory));
        deviceBytes += place.deviceBytes(copies.get(i));
      }
      RecordBatch copy =
          new RecordBatch(batch.schema(), batch.rowCount(), copies, batch.sequence());
      long bytes = copy.ownSizeInBytes();
      SpillableBatch content = addForOrigin(copy, origin);
      storedBytes.addAndGet(bytes);
      long number = batches.add(new HostedBatch(content, places, used, bytes));
      return new Block(number, bytes, deviceBytes, batch.rowCount());
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      copies.forEach(closer::close);
      used.forEach(this::unuse);
      closer.suppressIn(e);
      throw e;
    }
  }

  /**
   * Adds a copy to the host's space for the batch's own work, not for that of the moving thread.
   */
  private SpillableBatch addForOrigin(RecordBatch copy, SpillOrigin origin) {
    ThreadRecord thread = ThreadRecord.current();
    int nodeBefore = thread.node();
    WorkOwner before = thread.workFor(origin.work());
    thread.workOn(origin.node());
    try {
      return space.add(copy, origin.placement());
    } finally {
      thread.workFor(before);
      thread.workOn(nodeBefore);
    }
  }

  private ColumnVector copyToHost(ColumnVector column, ColumnPlaces place, Reservation memory) {
    ColumnVector copy = place.copy(column, new PartsToHost(memory, device, dictionaries::get));
    if (!place.heaps() || !HeapCompaction.pays(copy) || !memory.tryGrow(copy.sizeInBytes())) {
      return copy;
    }
    try (copy) {
      return new HeapCompaction(memory).compact(copy);
    }
  }

  private HostedDictionary use(Dictionary dictionary) {
    return dictionaries.compute(
        dictionary.id(),
        (id, known) -> {
          if (known != null) {
            return known.used();
          }
          HostedDictionary added = new HostedDictionary(dictionary);
          storedBytes.addAndGet(added.bytes());
          return added;
        });
  }

  private void unuse(HostedDictionary used) {
    dictionaries.computeIfPresent(
        used.id(),
        (id, known) -> {
          HostedDictionary left = known.unused();
          storedBytes.addAndGet(left == null ? -known.bytes() : 0);
          return left;
        });
  }

  @Override
  public RecordBatch read(Block block, BufferAllocator allocator) {
    HostedBatch hosted = batches.get(block);
    RecordBatch onHost = hosted.content().read(host);
    try {
      PartsToDevice parts = new PartsToDevice(allocator, host, device, dictionaries::get);
      return allocator.allocateAll(
          block.memoryBytes(),
          () ->
              RecordBatch.of(
                  onHost.schema(),
                  onHost.rowCount(),
                  onHost.sequence(),
                  i -> hosted.places().get(i).copy(onHost.column(i), parts)));
    } finally {
      hosted.content().unread();
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Asks the host's space for a copy that it has moved to its own stores. The read to the device
   * uses that copy: it stays on the host until the block is deleted, its bytes in the host's store
   * are freed, and the host may move it again.
   */
  @Override
  public boolean bringNearer(Block block, Runnable whenNear) {
    HostedBatch hosted = batches.find(block);
    if (hosted == null || hosted.content().isInMemory()) {
      return hosted != null;
    }
    hosted.content().prefetch(whenNear);
    return false;
  }

  @Override
  public void delete(Block block) {
    HostedBatch hosted = batches.remove(block);
    if (hosted != null) {
      free(hosted);
    }
  }

  private void free(HostedBatch hosted) {
    storedBytes.addAndGet(-hosted.bytes());
    hosted.dictionaries().forEach(this::unuse);
    hosted.content().close();
  }

  @Override
  public long storedBytes() {
    return storedBytes.get();
  }

  @Override
  public long limitInBytes() {
    return host.limitInBytes();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    batches.close().forEach(left -> closer.close(() -> free(left)));
    closer.rethrow();
  }
}
