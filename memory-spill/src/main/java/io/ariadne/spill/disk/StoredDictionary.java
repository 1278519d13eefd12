package io.ariadne.spill.disk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.Dictionary;

/**
 * A dictionary on disk, stored once for all batches that use it; the users are counted. The monitor
 * is held while entries are written or read, so that other threads wait for the result instead of
 * doing the same work.
 */
final class StoredDictionary {
  /** The dictionary that was written; its entries may be freed. */
  private final Dictionary original;

  /** Set once, before there are users; read without the monitor, which is held during reads. */
  private volatile StoredColumn layout;

  @GuardedBy("this")
  private StoredFrames frames;

  @GuardedBy("this")
  private int users;

  /** The latest copy in memory; not retained, so it may be freed. */
  @GuardedBy("this")
  private Dictionary live;

  StoredDictionary(Dictionary original) {
    this.original = original;
    this.live = original;
  }

  /**
   * Identifies a stored dictionary: the same dictionary may be on a device and on the host.
   *
   * @param id {@link Dictionary#id}
   * @param onDevice whether any part of it is on a device
   */
  record Key(long id, boolean onDevice) {
    static Key of(Dictionary dictionary) {
      return new Key(dictionary.id(), StoredColumn.isAnyOnDevice(dictionary.entries()));
    }
  }

  /** Writes, reads and frees entries; called while the monitor is held. */
  interface Entries {
    /** Writes entries and calls {@link #store}. */
    void write(StoredDictionary target, Dictionary dictionary);

    /** Reads a dictionary of the original's id; the caller owns one reference. */
    Dictionary read(
        StoredColumn layout, StoredFrames frames, Dictionary original, PartMemory memory);

    /** Frees the bytes on disk. */
    void free(StoredFrames frames);
  }

  /** Sets where the entries are. */
  synchronized void store(StoredColumn storedLayout, StoredFrames storedFrames) {
    this.layout = storedLayout;
    this.frames = storedFrames;
  }

  /**
   * Adds a user, and writes the entries if they are not on disk.
   *
   * @return false when the last user has gone: the caller creates another stored dictionary
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

  /** Returns whether it has no users: it was not written, or is gone. */
  synchronized boolean isUnused() {
    if (users == 0) {
      // Later users create another stored dictionary.
      users = -1;
    }
    return users < 0;
  }

  /** Removes a user; returns whether it was the last one and the entries are freed. */
  synchronized boolean removeUser(Entries entries) {
    if (--users > 0) {
      return false;
    }
    users = -1;
    entries.free(frames);
    return true;
  }

  /** Returns the dictionary, from memory if possible; the caller owns one reference. */
  synchronized Dictionary read(Entries entries, PartMemory memory) {
    if (!live.tryRetain()) {
      live = entries.read(layout, frames, original, memory);
    }
    return live;
  }

  /** Returns bytes that the entries take in memory of a device, or of the host. */
  long memoryBytes(boolean onDevice) {
    return layout.memoryBytes(onDevice);
  }

  /** Returns the key. */
  Key key() {
    return Key.of(original);
  }
}
