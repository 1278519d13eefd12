package io.ariadne.benchmark.table;

import io.ariadne.benchmark.engine.EngineSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.SparkSession;

/**
 * Folders of generated tables, and the writing of those that are missing.
 *
 * @param root folder of all generated tables
 * @param cores cores that the writing Spark uses
 */
public record TableFolders(Path root, int cores) {
  /** Resolves the root against the current directory. */
  public TableFolders {
    root = Objects.requireNonNull(root, "root is null").toAbsolutePath();
  }

  /** Returns the folder of the TPC-H tables of a scale factor. */
  public Path tpch(double scale) {
    return folder("tpch-sf", scale);
  }

  /** Returns the folder of the TPC-DS tables of a scale factor. */
  public Path tpcds(double scale) {
    return folder("tpcds-sf", scale);
  }

  private Path folder(String benchmark, double scale) {
    String name = scale == Math.rint(scale) ? String.valueOf((long) scale) : String.valueOf(scale);
    return root.resolve(benchmark + name);
  }

  /** Writes the TPC-H tables that are missing. */
  public void generateTpch(double scale) throws IOException {
    generateTpch(scale, tpch(scale), TpchTables.all());
  }

  /**
   * Writes the TPC-H tables that are missing in a folder.
   *
   * @param scale scale factor
   * @param folder folder of the tables
   * @param tables the tables to write
   */
  public void generateTpch(double scale, Path folder, List<GeneratedTable> tables)
      throws IOException {
    if (!isComplete(folder, tables)) {
      withSession(session -> new TableGenerator(session, scale, folder).generate("TPC-H", tables));
    }
  }

  /** Writes the TPC-DS tables that are missing. */
  public void generateTpcds(double scale) throws IOException {
    Path folder = tpcds(scale);
    if (!isComplete(folder, TpcdsTables.all())) {
      withSession(session -> new TableGenerator(session, scale, folder).generateTpcds());
    }
  }

  private static boolean isComplete(Path folder, List<GeneratedTable> tables) {
    return tables.stream().allMatch(t -> TableGenerator.isComplete(folder.resolve(t.name())));
  }

  /** Writes tables with a Spark of this process. */
  interface Writer {
    void write(SparkSession session) throws IOException;
  }

  /** Starts Spark without a plugin, lets the writer use it, and stops it. */
  void withSession(Writer writer) throws IOException {
    SparkSession.Builder builder = SparkSession.builder().appName("ariadne-generate");
    EngineSettings.common(cores).forEach(builder::config);
    // Rows of generated tables hold LocalDate, which Spark 3.5 accepts only with this setting.
    builder.config("spark.sql.datetime.java8API.enabled", true);
    try (SparkSession session = builder.getOrCreate()) {
      session.sparkContext().setLogLevel("WARN");
      writer.write(session);
    }
  }
}
