package io.ariadne.parquet.scan;

import io.ariadne.parquet.column.SharedDictionaries;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the readers of the parts of one row group share: where its pages are, and dictionaries.
 * Thread-safe. Freed by the last part that lets go.
 */
final class DividedGroup {
  private final RowGroupIndexes indexes;
  private final SharedDictionaries dictionaries = new SharedDictionaries();
  private final AtomicInteger parts;

  /**
   * Creates what so many parts share.
   *
   * @param indexes the row group's
   * @param parts their number, at least 1
   */
  DividedGroup(RowGroupIndexes indexes, int parts) {
    this.indexes = indexes;
    this.parts = new AtomicInteger(parts);
  }

  RowGroupIndexes indexes() {
    return indexes;
  }

  SharedDictionaries dictionaries() {
    return dictionaries;
  }

  /** Lets go; called once per part. */
  void release() {
    if (parts.decrementAndGet() == 0) {
      dictionaries.close();
    }
  }

  /**
   * A part of the rows.
   *
   * @param group what it shares with the others, with a hold of its own
   * @param windows its rows
   * @param isFirst whether it counts what is known of the row group as a whole
   */
  record Part(DividedGroup group, RowWindows windows, boolean isFirst) {}
}
