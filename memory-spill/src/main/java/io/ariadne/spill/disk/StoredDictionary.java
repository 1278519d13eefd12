package io.ariadne.spill.disk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.Dictionary;

/**
 * A dictionary of which batches are on disk, stored once for all of them; its users are counted.
 * The monitor guards everything and is held while entries are written or read, so that others of
 * the same dictionary wait for that instead of doing it again.
 */
final class StoredDictionary {
  /** What the entries were; the object outlives them. */
  private final Dictionary original;

  @GuardedBy("this")
  private StoredColumn layout;

  @GuardedBy("this")
  private StoredFrames frames;

  @GuardedBy("this")
  private int users;

  /** The dictionary in memory when it was last seen there; nobody holds it for us. */
  @GuardedBy("this")
  private Dictionary live;

  StoredDictionary(Dictionary original) {
    this.original = original;
    this.live = original;
  }

  /**
   * What a dictionary is known by: the same one may be on a device and on the host.
   *
   * @param id the number by which batches know it
   * @param onDevice whether any part of it is on a device
   */
  record Key(long id, boolean onDevice) {
    static Key of(Dictionary dictionary) {
      return new Key(dictionary.id(), StoredColumn.isAnyOnDevice(dictionary.entries()));
    }
  }

  /** Moves entries; called while the monitor is held. */
  interface Entries {
    /** Writes entries and calls {@link #store}. */
    void write(StoredDictionary target, Dictionary dictionary);

    /** Reads a dictionary of the original's id, with one hold for the caller. */
    Dictionary read(
        StoredColumn layout, StoredFrames frames, Dictionary original, PartMemory memory);

    /** Frees the bytes on disk. */
    void free(StoredFrames frames);
  }

  /** Notes where the entries are. */
  synchronized void store(StoredColumn storedLayout, StoredFrames storedFrames) {
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
  synchronized Dictionary read(Entries entries, PartMemory memory) {
    if (!live.tryRetain()) {
      live = entries.read(layout, frames, original, memory);
    }
    return live;
  }

  /** Returns bytes in memory of a device, or of the host. */
  synchronized long memoryBytes(boolean onDevice) {
    return layout.memoryBytes(onDevice);
  }

  /** Returns what it is known by. */
  Key key() {
    return Key.of(original);
  }
}
