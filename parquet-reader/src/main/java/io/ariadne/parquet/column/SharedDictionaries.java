package io.ariadne.parquet.column;

import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.Closer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Shares the dictionaries of a row group among the threads that read its parts. The first thread
 * that needs a dictionary reads and decodes it. Thread-safe; closed when no reader is left.
 */
public final class SharedDictionaries implements AutoCloseable {
  private final Map<Long, Slot> slots = new HashMap<>();

  /**
   * The state of one chunk's dictionary. The thread that reads the dictionary holds the lock
   * meanwhile.
   */
  private static final class Slot {
    private boolean isRead;

    /** Whether the result of reading can be shared. It can also be that there is no dictionary. */
    private boolean isShared;

    /** Whether the chunk has a dictionary page. */
    private boolean isThere;

    /** The entries, with a reference; null when there are none. */
    private Dictionary entries;
  }

  /** Makes a reader's own form of a dictionary that another reader has decoded. */
  interface Adopter {
    /**
     * Adopts a dictionary.
     *
     * @param isThere whether the chunk has a dictionary
     * @param entries its entries with a reference for the receiver; null when it has none
     * @return null when the chunk has no dictionary
     */
    ChunkDictionary adopt(boolean isThere, Dictionary entries);
  }

  /**
   * Returns the dictionary of a chunk.
   *
   * @param chunkStart where the chunk begins in the file, which identifies it; column names may be
   *     ambiguous
   * @param reader reads the dictionary, or returns null when the chunk has none
   * @param adopter adopts an earlier result, if it can be shared
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
