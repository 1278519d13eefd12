package io.ariadne.parquet.prune;

/**
 * What of a file may show that a predicate is true for none of its rows. Each can be switched off,
 * for files in which it is wrong, by the setting of Parquet's own reader ({@code
 * org.apache.parquet.hadoop.ParquetInputFormat}).
 */
public enum FilterLevel {
  /** Smallest and largest value and nulls of a row group's column. */
  STATISTICS("parquet.filter.stats.enabled"),
  /** The values of a column that is dictionary coded as a whole. */
  DICTIONARY("parquet.filter.dictionary.enabled"),
  /** Bloom filters. */
  BLOOM_FILTER("parquet.filter.bloom.enabled"),
  /** Smallest and largest value and nulls of pages; without it no page index is read. */
  COLUMN_INDEX("parquet.filter.columnindex.enabled");

  private final String key;

  FilterLevel(String key) {
    this.key = key;
  }

  /** Returns the key of the boolean setting that switches it off; true where it is not set. */
  public String key() {
    return key;
  }
}
