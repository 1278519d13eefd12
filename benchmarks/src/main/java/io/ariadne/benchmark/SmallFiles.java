package io.ariadne.benchmark;

import java.io.IOException;
import java.nio.file.Path;

/** Lineitem in many small files: 2000 of about 300 KB. Generated once. */
final class SmallFiles {
  /** The table's name in queries. */
  static final String TABLE = "lineitem_small_files";

  private static final int FILES = 2000;

  /** 17 million rows: 8700 per file, which are 300 KB as Spark writes them. */
  private static final double SCALE = 2.9;

  private SmallFiles() {}

  static Path folder(CommonOptions options) {
    return options.dataRoot.toAbsolutePath().resolve("small-files").resolve(TABLE);
  }

  static void generate(CommonOptions options) throws IOException {
    Path folder = folder(options);
    if (TableGenerator.isComplete(folder)) {
      return;
    }
    GenerateCommand.withSession(
        options,
        session ->
            new TableGenerator(session, SCALE, folder.getParent())
                .generate("TPC-H", TpchTables.table("lineitem"), TABLE, FILES));
  }
}
