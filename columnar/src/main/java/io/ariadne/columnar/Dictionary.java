package io.ariadne.columnar;

import io.ariadne.columnar.buffer.ReferenceCount;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The values of dictionary columns: immutable and reference-counted.
 *
 * <p>Code {@code c} means row {@code c} of the entries. There is at least one entry, so that code 0
 * is always valid. No entry is null. Entries may be equal, and may be used by no row. Thread-safe.
 * Created with one reference; the owner of each reference calls {@link #release} once; the last
 * release closes the entries.
 */
public final class Dictionary {
  private static final AtomicLong NEXT_ID = new AtomicLong(1);

  private final ColumnVector entries;
  private final long id;
  private final ReferenceCount holders = new ReferenceCount();

  /**
   * Takes ownership of the entries, in a memory tier of the caller's choice.
   *
   * @param entries at least one value, without validity, of a layout that is neither nested nor
   *     itself a dictionary; the caller keeps ownership when this throws
   * @throws IllegalArgumentException when the entries do not satisfy this
   */
  public Dictionary(ColumnVector entries) {
    this(entries, NEXT_ID.getAndIncrement());
  }

  private Dictionary(ColumnVector entries, long id) {
    boolean isFlat =
        switch (entries.physicalType()) {
          case OFFSETS, NONE, DICTIONARY32 -> false;
          default -> true;
        };
    if (!isFlat || entries.mayHaveNulls() || entries.rowCount() == 0) {
      throw new IllegalArgumentException(
          "a dictionary needs values without nulls, not "
              + entries.rowCount()
              + " rows of "
              + entries.type()
              + " laid out as "
              + entries.physicalType()
              + (entries.mayHaveNulls() ? " with nulls" : ""));
    }
    this.entries = entries;
    this.id = id;
  }

  /**
   * Returns a dictionary of the same values in other memory, with this one's id and one reference.
   *
   * @param copy the same values in the same order; owned as by the constructor
   */
  public Dictionary withEntries(ColumnVector copy) {
    if (copy.rowCount() != entries.rowCount() || !copy.type().equals(entries.type())) {
      throw new IllegalArgumentException(
          copy.rowCount() + " entries of " + copy.type() + " are no copy of " + this);
    }
    return new Dictionary(copy, id);
  }

  /** Returns the values, still owned by this dictionary; valid while the caller references it. */
  public ColumnVector entries() {
    return entries;
  }

  /** Returns the number of values, at least 1. */
  public int entryCount() {
    return entries.rowCount();
  }

  /** Returns the type of the values. */
  public DataType type() {
    return entries.type();
  }

  /** Returns the layout of the values. */
  public PhysicalType valueLayout() {
    return entries.physicalType();
  }

  /**
   * Returns a number that identifies the contents in this process: dictionaries with equal ids have
   * the same values in the same order. Dictionaries with different ids may be equal, too.
   */
  public long id() {
    return id;
  }

  /** Returns bytes held by the entries, padding included. */
  public long sizeInBytes() {
    return entries.sizeInBytes();
  }

  /** Adds a reference and returns this. */
  public Dictionary retain() {
    holders.add();
    return this;
  }

  /** Adds a reference unless the entries are closed; returns whether it did. */
  public boolean tryRetain() {
    return holders.tryAdd();
  }

  /** Removes a reference; the last release closes the entries. */
  public void release() {
    if (holders.remove()) {
      entries.close();
    }
  }

  /** Returns the reference count, for tests and leak reports. */
  public int holderCount() {
    return holders.count();
  }

  @Override
  public String toString() {
    return "dictionary " + id + " of " + entries.rowCount() + " " + entries.type();
  }
}
