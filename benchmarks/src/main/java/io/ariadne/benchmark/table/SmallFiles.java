package io.ariadne.benchmark.table;

import java.io.IOException;
import java.nio.file.Path;

/** Generates lineitem in 2000 small files of about 300 KB. */
public final class SmallFiles {
  /** The table's name in queries. */
  public static final String TABLE = "lineitem_small_files";

  private static final int FILES = 2000;

  /** 17 million rows, 8700 per file, for which Spark writes 300 KB. */
  private static final double SCALE = 2.9;

  private SmallFiles() {}

  /** Returns the folder of the files. */
  public static Path folder(TableFolders folders) {
    return folders.root().resolve("small-files").resolve(TABLE);
  }

  /** Writes the files if they are missing. */
  public static void generate(TableFolders folders) throws IOException {
    Path folder = folder(folders);
    if (TableGenerator.isComplete(folder)) {
      return;
    }
    folders.withSession(
        session ->
            new TableGenerator(session, SCALE, folder.getParent())
                .generate("TPC-H", TpchTables.table("lineitem"), TABLE, FILES));
  }
}
