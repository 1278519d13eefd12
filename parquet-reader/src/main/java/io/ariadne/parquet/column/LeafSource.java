package io.ariadne.parquet.column;

import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.page.ChunkPages;
import io.ariadne.parquet.schema.ResolvedColumn;

/** The leaves of a nested column in one row group. */
public interface LeafSource {
  /** Returns how a leaf's values become those of its column; its dictionaries are not kept. */
  FlatColumn column(ResolvedColumn.Leaf leaf);

  /** Returns what messages about a leaf name, for one whose values are not wanted. */
  FlatColumn witness(SchemaNode leaf);

  /** Returns the pages of a leaf's chunk, owned by the caller. */
  ChunkPages pages(SchemaNode leaf);

  /** Returns what other readers of parts of the row group share with this; null without any. */
  default SharedDictionaries sharedDictionaries() {
    return null;
  }
}
