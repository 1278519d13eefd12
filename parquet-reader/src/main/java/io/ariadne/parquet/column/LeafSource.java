package io.ariadne.parquet.column;

import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.page.ChunkPages;
import io.ariadne.parquet.schema.ResolvedColumn;

/** Gives access to the leaves of a nested column in one row group. */
public interface LeafSource {
  /**
   * Returns how a leaf's values become those of its column. Columns of nested leaves are not
   * dictionary-encoded.
   */
  FlatColumn column(ResolvedColumn.Leaf leaf);

  /** Returns the properties of a leaf of which only the levels are needed. */
  FlatColumn witness(SchemaNode leaf);

  /** Returns the pages of a leaf's chunk, owned by the caller. */
  ChunkPages pages(SchemaNode leaf);

  /** Returns what the readers of parts of the row group share; null when it is not divided. */
  default SharedDictionaries sharedDictionaries() {
    return null;
  }
}
