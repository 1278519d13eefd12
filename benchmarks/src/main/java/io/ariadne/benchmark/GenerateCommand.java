package io.ariadne.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ariadne generate}: writes TPC-H as Parquet. */
@Command(name = "generate", description = "Generates TPC-H as Parquet files.")
final class GenerateCommand implements Callable<Integer> {
  @Mixin private CommonOptions options;

  @Option(names = "--scale", description = "scale factor (default: ${DEFAULT-VALUE})")
  private double scale = 1;

  @Option(
      names = "--columns-of",
      description =
          "queries: tables have only the columns that these read, in a folder of their own;"
              + " default: whole tables")
  private String columnsOf = "";

  @Override
  public Integer call() throws IOException {
    TpchWorkload workload =
        new TpchWorkload(scale, List.of(), TpchQueries.parseOptional(columnsOf));
    workload.generate(options);
    System.out.println(workload.folder(options));
    return 0;
  }

  static void generate(CommonOptions options, double scale) throws IOException {
    generateTpch(options, scale, options.tpch(scale), TpchTables.all());
  }

  /** Writes tables of TPC-H that are missing in a folder. */
  static void generateTpch(
      CommonOptions options, double scale, Path folder, List<GeneratedTable> tables)
      throws IOException {
    if (!isComplete(folder, tables)) {
      withSession(
          options, session -> new TableGenerator(session, scale, folder).generate("TPC-H", tables));
    }
  }

  static void generateTpcds(CommonOptions options, double scale) throws IOException {
    Path folder = options.tpcds(scale);
    if (!isComplete(folder, TpcdsTables.all())) {
      withSession(options, session -> new TableGenerator(session, scale, folder).generateTpcds());
    }
  }

  private static boolean isComplete(Path folder, List<GeneratedTable> tables) {
    return tables.stream().allMatch(t -> TableGenerator.isComplete(folder.resolve(t.name())));
  }

  /** Writes data with a Spark of this process. */
  interface DataWriter {
    void write(SparkSession session) throws IOException;
  }

  static void withSession(CommonOptions options, DataWriter writer) throws IOException {
    SparkSession.Builder builder = SparkSession.builder().appName("ariadne-generate");
    EngineSettings.common(options.cores).forEach(builder::config);
    // Rows of generated data hold LocalDate, which Spark 3.5 takes only then.
    builder.config("spark.sql.datetime.java8API.enabled", true);
    try (SparkSession session = builder.getOrCreate()) {
      session.sparkContext().setLogLevel("WARN");
      writer.write(session);
    }
  }
}
