package io.ariadne.benchmark;

import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * Writes TPC-H as Parquet, one folder per table, in parallel, with Spark's own writer.
 *
 * <p>A folder that is complete (a {@code _SUCCESS} file in every table) is kept as it is.
 */
public final class TpchGenerator {
  /** The file that marks a table's folder as complete. */
  static final String COMPLETE = "_SUCCESS";

  private static final double PARTS_PER_SCALE = 8;

  private final SparkSession session;
  private final double scale;
  private final Path folder;

  /**
   * Creates a generator.
   *
   * @param session writes the files; needs no plugin
   * @param scale TPC-H scale factor, fractions allowed
   * @param folder gets a folder per table
   */
  public TpchGenerator(SparkSession session, double scale, Path folder) {
    this.session = session;
    this.scale = scale;
    this.folder = folder;
  }

  /** Returns whether all tables are there. */
  static boolean isComplete(Path folder) {
    return TpchTables.all().stream()
        .allMatch(t -> Files.exists(folder.resolve(t.getTableName()).resolve(COMPLETE)));
  }

  /** Writes the tables that are missing, showing progress. */
  public void generate() throws IOException {
    Files.createDirectories(folder);
    List<TpchTable<?>> missing =
        TpchTables.all().stream()
            .filter(t -> !Files.exists(folder.resolve(t.getTableName()).resolve(COMPLETE)))
            .toList();
    int tasks = missing.stream().mapToInt(this::partCount).sum();
    showingProgress(
        tasks,
        () -> missing.forEach(t -> write(t, folder.resolve(t.getTableName()), partCount(t))));
  }

  /**
   * Writes one table into a number of files.
   *
   * @param table what to write
   * @param name its folder
   * @param files how many; each gets as many rows as the others, give or take an order's
   */
  void generate(TpchTable<?> table, String name, int files) throws IOException {
    Files.createDirectories(folder);
    showingProgress(files, () -> write(table, folder.resolve(name), files));
  }

  private void showingProgress(int tasks, Runnable writing) {
    try (ProgressBar progress = new ProgressBar("Generating TPC-H SF" + scale, tasks)) {
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

  private int partCount(TpchTable<?> table) {
    return switch (table.getTableName()) {
      case "lineitem", "orders", "partsupp" ->
          (int) Math.max(1, Math.ceil(scale * PARTS_PER_SCALE));
      case "nation", "region" -> 1;
      default -> (int) Math.max(1, Math.ceil(scale));
    };
  }

  private void write(TpchTable<?> table, Path target, int parts) {
    String name = table.getTableName();
    double factor = scale;
    JavaRDD<Row> rows =
        JavaSparkContext.fromSparkContext(session.sparkContext())
            .parallelize(IntStream.rangeClosed(1, parts).boxed().toList(), parts)
            .flatMap(part -> rows(name, factor, part, parts));
    session
        .createDataFrame(rows, TpchTables.schema(table))
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(target.toString());
  }

  private static Iterator<Row> rows(String name, double scale, int part, int parts) {
    TpchTable<?> table = TpchTable.getTable(name);
    Iterable<? extends TpchEntity> entities = table.createGenerator(scale, part, parts);
    return StreamSupport.stream(entities.spliterator(), false)
        .map(entity -> TpchTables.row(table, entity))
        .iterator();
  }
}
