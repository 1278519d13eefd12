package io.ariadne.benchmark.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Lineitem as one file that is one row group, of about 200 MB per scale factor: what some writers
 * make of a table. Tasks that get another part of the file find no row group in it.
 *
 * @param scale scale factor, at most 5, so that the writer can hold the row group
 */
public record OneRowGroup(double scale) {
  /** The table's name in queries. */
  public static final String TABLE = "lineitem_one_row_group";

  private static final long ROW_GROUP_BYTES = 2L << 30;
  private static final double MOST = 5;

  /** Returns the folder of the file. */
  public Path folder(TableFolders folders) {
    Path sibling = folders.tpch(scale);
    return sibling.resolveSibling("one-row-group-" + sibling.getFileName()).resolve(TABLE);
  }

  /** Writes the file if it is missing. */
  public void generate(TableFolders folders) throws IOException {
    if (scale > MOST) {
      throw new IllegalArgumentException("one row group needs a scale of at most 5: " + scale);
    }
    Path folder = folder(folders);
    if (TableGenerator.isComplete(folder)) {
      return;
    }
    Map<String, String> options = Map.of("parquet.block.size", String.valueOf(ROW_GROUP_BYTES));
    folders.withSession(
        session ->
            new TableGenerator(session, scale, folder.getParent(), options)
                .generate("TPC-H", TpchTables.table("lineitem"), TABLE, 1));
  }
}
