package io.ariadne.parquet.scan;

import io.ariadne.parquet.column.SharedDictionaries;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the readers of the parts of one row group share: page indexes and dictionaries. Thread-safe.
 * Freed when the last part releases it.
 */
final class DividedGroup {
  private final RowGroupIndexes indexes;
  private final SharedDictionaries dictionaries = new SharedDictionaries();
  private final AtomicInteger parts;

  /**
   * Creates the shared state of a number of parts.
   *
   * @param indexes the row group's page indexes
   * @param parts number of parts, at least 1
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

  /** Releases one part's reference; called once per part. */
  void release() {
    if (parts.decrementAndGet() == 0) {
      dictionaries.close();
    }
  }

  /**
   * A part of the rows.
   *
   * @param group what the parts share, with a reference of this part
   * @param windows rows of the part
   * @param isFirst whether this part counts the statistics of the row group as a whole
   */
  record Part(DividedGroup group, RowWindows windows, boolean isFirst) {}
}
