package io.ariadne.benchmark.table;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.spark.sql.SaveMode;

/**
 * Lines of a web server's log in the combined format, one column {@code line} in Parquet. The
 * popularity of URLs follows Zipf's law with exponent 1. The same numbers give the same lines.
 *
 * @param megabytes about how many millions of bytes the lines have
 * @param urls how many URLs there are, at least 1
 * @param files number of files, each of one row group
 */
public record LogLines(long megabytes, int urls, int files) {
  /** The table's name in queries. */
  public static final String TABLE = "log";

  /** About how many bytes a line has. */
  private static final long LINE_BYTES = 170;

  private static final long MEGA = 1_000_000;

  /** More than a file has: each is one row group, the unit in which Parquet is read. */
  private static final long ROW_GROUP_BYTES = 1L << 30;

  /** Returns the folder of the files. */
  public Path folder(TableFolders folders) {
    return folders
        .root()
        .resolve("log-%dmb-%durls-%dfiles".formatted(megabytes, urls, files))
        .resolve(TABLE);
  }

  /** Returns the number of lines. */
  public long lines() {
    return megabytes * MEGA / LINE_BYTES;
  }

  /** Writes the files if they are missing. */
  public void generate(TableFolders folders) throws IOException {
    Path folder = folder(folders);
    if (TableGenerator.isComplete(folder)) {
      return;
    }
    folders.withSession(
        session ->
            session
                .range(0, lines(), 1, files)
                .selectExpr("id", "xxhash64(id) h", "xxhash64(id, 1) g", rank() + " r")
                .selectExpr(line() + " line")
                .write()
                .mode(SaveMode.Overwrite)
                .option("parquet.block.size", ROW_GROUP_BYTES)
                .parquet(folder.toString()));
  }

  /** The inverse of the distribution function: ranks up to r have the share log(r) / log(n). */
  private String rank() {
    return "cast(pow(%d, pmod(xxhash64(id, 2), 1000000007) / 1000000007D) as int)"
        .formatted(urls + 1L);
  }

  private static String line() {
    return "concat('10.', pmod(h, 256), '.', pmod(g, 256), '.', pmod(h ^ g, 256),"
        + " ' - - [28/Jul/2026:', lpad(pmod(id div 400000, 24), 2, '0'), ':',"
        + " lpad(pmod(id div 7000, 60), 2, '0'), ':', lpad(pmod(id div 117, 60), 2, '0'),"
        + " ' +0000] \"GET /pages/', hex(r * 2654435761), '/', r, '.html HTTP/1.1\" ',"
        + " if(pmod(g, 50) = 0, '404', '200'), ' ', 200 + pmod(h, 90000),"
        + " ' \"https://example.org/\" \"Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101"
        + " Firefox/', 90 + pmod(g, 50), '.0\"')";
  }
}
