package io.ariadne.benchmark.table;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Lineitem in small files of about 300 KB.
 *
 * @param count number of files, at least 1
 */
public record SmallFiles(int count) {
  /** The table's name in queries. */
  public static final String TABLE = "lineitem_small_files";

  /** The number of files unless the user gives another one. */
  public static final int DEFAULT_COUNT = 2000;

  /** Scale factor of 2000 files: 8700 rows each, for which Spark writes 300 KB. */
  private static final double DEFAULT_SCALE = 2.9;

  /** Checks the number. */
  public SmallFiles {
    if (count < 1) {
      throw new IllegalArgumentException("the number of small files must be positive: " + count);
    }
  }

  /** Returns the folder of the files. */
  public Path folder(TableFolders folders) {
    String name = count == DEFAULT_COUNT ? "small-files" : "small-files-" + count;
    return folders.root().resolve(name).resolve(TABLE);
  }

  /** Writes the files if they are missing. */
  public void generate(TableFolders folders) throws IOException {
    Path folder = folder(folders);
    if (TableGenerator.isComplete(folder)) {
      return;
    }
    folders.withSession(
        session ->
            new TableGenerator(session, DEFAULT_SCALE * count / DEFAULT_COUNT, folder.getParent())
                .generate("TPC-H", TpchTables.table("lineitem"), TABLE, count));
  }
}
