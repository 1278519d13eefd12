package io.ariadne.parquet.scan;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.parquet.prune.DictionaryEntries;

/** Presents the entries of a decoded dictionary in host memory as literals. */
final class DictionaryLiterals implements DictionaryEntries {
  private final ColumnVector entries;
  private final ColumnReader reader;

  /**
   * Reads a dictionary.
   *
   * @param dictionary stays the caller's
   */
  DictionaryLiterals(Dictionary dictionary) {
    this.entries = dictionary.entries();
    this.reader = new ColumnReader(entries);
  }

  @Override
  public int size() {
    return entries.rowCount();
  }

  @Override
  public Object value(int index) {
    return entries.physicalType() == PhysicalType.VIEW16
        ? reader.getBytes(index)
        : reader.getValue(index);
  }
}
