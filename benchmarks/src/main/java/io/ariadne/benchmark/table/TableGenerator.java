package io.ariadne.benchmark.table;

import io.ariadne.benchmark.report.ProgressBar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * Writes tables of a standard benchmark as Parquet with Spark's writer, in parallel, a folder per
 * table.
 *
 * <p>Leaves a folder that is complete (has a {@code _SUCCESS} file) unchanged.
 */
public final class TableGenerator {
  /** The file that marks a table's folder as complete. */
  private static final String COMPLETE = "_SUCCESS";

  private final SparkSession session;
  private final double scale;
  private final Path folder;
  private final Map<String, String> options;

  /**
   * Creates a generator with the options that Spark's writer has by default.
   *
   * @param session writes the files; needs no plugin
   * @param scale scale factor, fractions allowed
   * @param folder parent of the folders of the tables
   */
  public TableGenerator(SparkSession session, double scale, Path folder) {
    this(session, scale, folder, Map.of());
  }

  /**
   * Creates a generator.
   *
   * @param session writes the files; needs no plugin
   * @param scale scale factor, fractions allowed
   * @param folder parent of the folders of the tables
   * @param options of Spark's writer
   */
  TableGenerator(SparkSession session, double scale, Path folder, Map<String, String> options) {
    this.options = Map.copyOf(options);
    this.session = session;
    this.scale = scale;
    this.folder = folder;
  }

  /** Returns whether the folder of a table has all its files. */
  static boolean isComplete(Path table) {
    return Files.exists(table.resolve(COMPLETE));
  }

  /** Writes the missing tables of TPC-H and shows progress. */
  public void generateTpch() throws IOException {
    generate("TPC-H", TpchTables.all());
  }

  /** Writes the missing tables of TPC-DS and shows progress. */
  public void generateTpcds() throws IOException {
    generate("TPC-DS", TpcdsTables.all());
  }

  /**
   * Writes the missing tables and shows progress.
   *
   * @param benchmark name of the benchmark in messages
   * @param tables all its tables
   */
  void generate(String benchmark, List<? extends GeneratedTable> tables) throws IOException {
    Files.createDirectories(folder);
    List<? extends GeneratedTable> missing =
        tables.stream().filter(t -> !isComplete(folder.resolve(t.name()))).toList();
    int tasks = missing.stream().mapToInt(t -> tasks(t, t.files(scale))).sum();
    showingProgress(
        benchmark,
        tasks,
        () -> missing.forEach(t -> write(t, folder.resolve(t.name()), t.files(scale))));
  }

  /**
   * Writes one table into a number of files.
   *
   * @param benchmark name of the benchmark in messages
   * @param table the table to write
   * @param name name of its folder
   * @param files number of files, of about equal size
   */
  void generate(String benchmark, GeneratedTable table, String name, int files) throws IOException {
    Files.createDirectories(folder);
    showingProgress(
        benchmark, tasks(table, files), () -> write(table, folder.resolve(name), files));
  }

  /**
   * Returns the number of tasks that compute rows, plus those that write them if other tasks do.
   */
  private int tasks(GeneratedTable table, int files) {
    int parts = parts(table, files);
    return parts == files ? files : parts + files;
  }

  private int parts(GeneratedTable table, int files) {
    return table.files(scale) == table.parts(scale) ? files : table.parts(scale);
  }

  private void showingProgress(String benchmark, int tasks, Runnable writing) {
    String label = "Generating " + benchmark + " SF" + scale;
    try (ProgressBar progress = new ProgressBar(label, tasks)) {
      SparkListener listener =
          new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd end) {
              progress.step();
            }
          };
      session.sparkContext().addSparkListener(listener);
      writing.run();
      session.sparkContext().removeSparkListener(listener);
    }
  }

  private void write(GeneratedTable table, Path target, int files) {
    int parts = parts(table, files);
    double factor = scale;
    JavaRDD<Row> rows =
        JavaSparkContext.fromSparkContext(session.sparkContext())
            .parallelize(IntStream.rangeClosed(1, parts).boxed().toList(), parts)
            .flatMap(part -> table.rows(factor, part, parts));
    Dataset<Row> computed = session.createDataFrame(rows, table.schema());
    (parts == files ? computed : computed.repartition(files))
        .write()
        .options(options)
        .mode(SaveMode.Overwrite)
        .parquet(target.toString());
  }
}
