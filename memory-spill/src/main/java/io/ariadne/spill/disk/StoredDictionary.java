package io.ariadne.spill.disk;

import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.BufferAllocator;

/**
 * A dictionary of which batches are on disk, stored once for all of them; its users are counted.
 * The monitor guards everything and is held while entries are written or read, so that others of
 * the same dictionary wait for that instead of doing it again.
 */
final class StoredDictionary {
  /** What the entries were; the object outlives them. */
  private final Dictionary original;

  private StoredColumn layout;
  private StoredFrames frames;
  private int users;

  /** The dictionary in memory when it was last seen there; nobody holds it for us. */
  private Dictionary live;

  StoredDictionary(Dictionary original) {
    this.original = original;
    this.live = original;
  }

  /** Moves entries; called while the monitor is held. */
  interface Entries {
    /** Writes entries and calls {@link #store}. */
    void write(StoredDictionary target, Dictionary dictionary);

    /** Reads a dictionary of the original's id, with one hold for the caller. */
    Dictionary read(
        StoredColumn layout, StoredFrames frames, Dictionary original, BufferAllocator allocator);

    /** Frees the bytes on disk. */
    void free(StoredFrames frames);
  }

  /** Notes where the entries are. */
  void store(StoredColumn storedLayout, StoredFrames storedFrames) {
    this.layout = storedLayout;
    this.frames = storedFrames;
  }

  /**
   * Adds a user, writing the entries if nobody has.
   *
   * @return false when the last user has gone: the caller makes another
   */
  synchronized boolean addUser(Dictionary dictionary, Entries entries) {
    if (users < 0) {
      return false;
    }
    if (frames == null) {
      entries.write(this, dictionary);
    }
    users++;
    return true;
  }

  /** Returns whether nobody uses it: it was not written, or is gone. */
  synchronized boolean isUnused() {
    if (users == 0) {
      // Whoever comes later makes another.
      users = -1;
    }
    return users < 0;
  }

  /** Removes a user; returns whether it was the last and the entries are gone from the disk. */
  synchronized boolean removeUser(Entries entries) {
    if (--users > 0) {
      return false;
    }
    users = -1;
    entries.free(frames);
    return true;
  }

  /** Returns the dictionary with one hold for the caller, from memory if it is still there. */
  synchronized Dictionary read(Entries entries, BufferAllocator allocator) {
    if (!live.tryRetain()) {
      live = entries.read(layout, frames, original, allocator);
    }
    return live;
  }

  /** Returns bytes in memory. */
  synchronized long memoryBytes() {
    return layout.memoryBytes();
  }

  /** Returns the number by which batches know it. */
  long id() {
    return original.id();
  }
}
