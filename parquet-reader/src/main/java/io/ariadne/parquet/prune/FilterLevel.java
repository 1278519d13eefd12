package io.ariadne.parquet.prune;

/**
 * Kinds of file metadata that may show that a predicate is true for no row. Each can be switched
 * off, for files in which it is wrong, with the setting of Parquet's own reader ({@code
 * org.apache.parquet.hadoop.ParquetInputFormat}).
 */
public enum FilterLevel {
  /** Minimum, maximum and null count of a row group's column. */
  STATISTICS("parquet.filter.stats.enabled"),
  /** The dictionary of a column that is completely dictionary-encoded. */
  DICTIONARY("parquet.filter.dictionary.enabled"),
  /** Bloom filters. */
  BLOOM_FILTER("parquet.filter.bloom.enabled"),
  /** Minimum, maximum and null count of pages. When switched off, no page index is read. */
  COLUMN_INDEX("parquet.filter.columnindex.enabled");

  private final String key;

  FilterLevel(String key) {
    this.key = key;
  }

  /** Returns the key of the boolean setting that switches this level off. The default is true. */
  public String key() {
    return key;
  }
}
