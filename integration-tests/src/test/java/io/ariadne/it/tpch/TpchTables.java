package io.ariadne.it.tpch;

import io.ariadne.benchmark.table.TableGenerator;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/** Generates TPC-H's tables once for all test classes of a build folder. */
final class TpchTables {
  private TpchTables() {}

  /**
   * Registers the tables in a session, and writes their files if they are missing.
   *
   * @param session without faults and with Ariadne off
   * @param scale scale factor
   */
  static void register(SparkSession session, double scale) throws IOException {
    Path folder = Path.of(System.getProperty("ariadne.it.work"), "tpch-" + scale);
    if (!Files.isDirectory(folder)) {
      generate(session, scale, folder);
    }
    for (Path table : content(folder)) {
      session
          .read()
          .parquet(table.toUri().toString())
          .createOrReplaceTempView(table.getFileName().toString());
    }
  }

  /** The test classes of two processes may want the files at the same time: the first move wins. */
  private static void generate(SparkSession session, double scale, Path folder) throws IOException {
    Path own = Files.createTempDirectory(folder.getParent(), "tpch-being-made-");
    try {
      new TableGenerator(session, scale, own).generateTpch();
      Files.move(own, folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      if (!Files.isDirectory(folder)) {
        throw e;
      }
    } finally {
      delete(own);
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static List<Path> content(Path folder) throws IOException {
    try (var tables = Files.list(folder)) {
      return tables.filter(Files::isDirectory).sorted().toList();
    }
  }
}
