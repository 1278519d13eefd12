package io.ariadne.parquet.column;

import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.Closer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The dictionaries of a row group that several threads read parts of: each is read and decoded by
 * the first that needs it. Thread-safe; closed when no reader is left.
 */
public final class SharedDictionaries implements AutoCloseable {
  private final Map<Long, Slot> slots = new HashMap<>();

  /** What is known of the dictionary of a chunk; whoever reads it holds the lock meanwhile. */
  private static final class Slot {
    private boolean isRead;

    /** Whether others can use what was read: also when there is no dictionary. */
    private boolean isShared;

    /** Whether the chunk has a dictionary page. */
    private boolean isThere;

    /** The entries, held; null when there are none. */
    private Dictionary entries;
  }

  /** Makes a reader's own form of a dictionary that another one has read. */
  interface Adopter {
    /**
     * Takes a dictionary over.
     *
     * @param isThere whether the chunk has one
     * @param entries its entries with a hold of the receiver's; null when it has none
     * @return null when the chunk has no dictionary
     */
    ChunkDictionary adopt(boolean isThere, Dictionary entries);
  }

  /**
   * Returns the dictionary of a chunk.
   *
   * @param chunkStart where the chunk begins in the file; names of columns may be ambiguous
   * @param reader reads it, or yields null when the chunk has none
   * @param adopter takes over what was read before, if it can be shared
   * @return owned by the caller
   */
  ChunkDictionary get(long chunkStart, Supplier<ChunkDictionary> reader, Adopter adopter) {
    Slot slot = slot(chunkStart);
    synchronized (slot) {
      if (slot.isRead && slot.isShared) {
        return adopter.adopt(slot.isThere, slot.entries == null ? null : slot.entries.retain());
      }
      ChunkDictionary own = reader.get();
      if (!slot.isRead) {
        slot.isRead = true;
        slot.isThere = own != null;
        slot.isShared = own == null || own.isWhole();
        boolean hasEntries = own != null && own.isWhole() && own.dictionary() != null;
        slot.entries = hasEntries ? own.dictionary().retain() : null;
      }
      return own;
    }
  }

  private synchronized Slot slot(long chunkStart) {
    return slots.computeIfAbsent(chunkStart, key -> new Slot());
  }

  @Override
  public synchronized void close() {
    Closer closer = new Closer();
    for (Slot slot : slots.values()) {
      if (slot.entries != null) {
        closer.close(slot.entries::release);
      }
    }
    slots.clear();
    closer.rethrow();
  }
}
