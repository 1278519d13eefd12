package io.ariadne.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.ariadne.it.sql.TestingSessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A driver and two executors of one slot, each a process, given the plugin jar as a user gives it.
 *
 * @param home Spark's distribution
 */
record LocalCluster(SparkHome home) {
  private static final Duration TIMEOUT = Duration.ofMinutes(8);

  /** Lays out Spark's distribution in a folder, which is removed by its owner. */
  static LocalCluster create(Path folder) throws IOException {
    return new LocalCluster(
        SparkHome.create(folder, System.getProperty("ariadne.it.scala.version")));
  }

  /**
   * Lays out Spark's distribution as {@link #create} does, for applications with Ariadne's shuffle
   * manager. Skips the test on Spark 3.5, which makes its shuffle manager before it has fetched the
   * plugin's jar.
   */
  static LocalCluster createForOwnManager(Path folder) throws IOException {
    assumeFalse(TestingSessions.isSpark35(), "the plugin's jar comes after the shuffle manager");
    return create(folder);
  }

  /**
   * Submits an application as {@link #submit(Class, Path, List, String)}, to JVMs with the options
   * of tests that run short queries.
   */
  String submit(Class<?> application, Path folder, List<String> settings)
      throws IOException, InterruptedException {
    return submit(application, folder, settings, shortQueries());
  }

  /**
   * Returns the options of JVMs of tests that run short queries; empty where the build has none.
   */
  static String shortQueries() {
    return System.getProperty("ariadne.it.jvm.options", "").strip();
  }

  /**
   * Submits an application with the plugin and returns what driver and executors printed.
   *
   * @param application has the main method, which gets the name of a folder for its table and
   *     prints {@code APPLICATION FINISHED}
   * @param folder of the test
   * @param settings each as {@code key=value}; Spark 3.5 makes its shuffle manager before it has
   *     fetched the plugin's jar, so that {@code AriadneShuffleManager} can't be among them there
   * @param jvmOptions of driver and executors; none has them run as users' do
   */
  String submit(Class<?> application, Path folder, List<String> settings, String jvmOptions)
      throws IOException, InterruptedException {
    Outcome outcome = run(application, folder, settings, jvmOptions, TIMEOUT);
    String output = outcome.output();
    assertTrue(outcome.hasEnded(), "no end after " + TIMEOUT.toSeconds() + " s:\n" + output);
    assertEquals(0, outcome.exitValue(), output);
    assertTrue(output.contains("APPLICATION FINISHED"), output);
    return output;
  }

  /**
   * What came of an application.
   *
   * @param hasEnded whether it has ended by itself
   * @param exitValue of the driver
   * @param output what driver and executors printed
   */
  record Outcome(boolean hasEnded, int exitValue, String output) {}

  /**
   * Submits an application as {@link #submit(Class, Path, List, String)} does, and judges nothing.
   *
   * @param timeout after which all processes are killed
   */
  Outcome run(
      Class<?> application, Path folder, List<String> settings, String jvmOptions, Duration timeout)
      throws IOException, InterruptedException {
    Path applicationJar = SparkHome.packClasses(application, folder.resolve("application.jar"));
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--class", application.getName(),
                "--conf", "spark.master=local-cluster[2,1,1024]",
                "--conf", "spark.plugins=io.ariadne.AriadnePlugin",
                "--conf", "spark.ui.enabled=false",
                "--conf", "spark.driver.host=127.0.0.1",
                "--conf", "spark.driver.bindAddress=127.0.0.1",
                "--conf", "spark.log.level=INFO"));
    for (String setting : settings) {
      arguments.addAll(List.of("--conf", setting));
    }
    arguments.addAll(List.of("--jars", pluginJar().toString()));
    arguments.add(applicationJar.toString());
    arguments.add(folder.resolve("table").toUri().toString());
    Path log = folder.resolve("driver.log");
    Process process = home.submit(arguments, jvmOptions, log).start();
    boolean ended = process.waitFor(timeout.toSeconds(), TimeUnit.SECONDS);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    return new Outcome(ended, process.exitValue(), Files.readString(log) + executorLogs());
  }

  /**
   * Returns the output of the executors and moves it out of the way of the next, which the cluster
   * keeps under SPARK_HOME/work.
   */
  private String executorLogs() throws IOException {
    Path work = home.folder().resolve("work");
    StringBuilder logs = new StringBuilder();
    if (!Files.isDirectory(work)) {
      return "";
    }
    try (var files = Files.walk(work)) {
      for (Path file :
          files.filter(f -> f.getFileName().toString().matches("std(out|err)")).toList()) {
        logs.append("\n--- ").append(work.relativize(file)).append('\n');
        logs.append(Files.readString(file));
      }
    }
    Path moved = Files.move(work, home.folder().resolve("work-" + System.nanoTime()));
    deleteJars(moved);
    return logs.toString();
  }

  /** Deletes the jars, of which each executor has had a copy. */
  private static void deleteJars(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).toList()) {
        Files.delete(jar);
      }
    }
  }

  private static Path pluginJar() throws IOException {
    String line = System.getProperty("ariadne.it.spark.line");
    Path folder =
        Path.of(System.getProperty("ariadne.it.root"), "plugin", "target", "spark-" + line);
    try (var jars = Files.list(folder)) {
      return jars.filter(jar -> jar.getFileName().toString().matches("ariadne-spark-.*\\.jar"))
          .filter(jar -> !jar.getFileName().toString().matches(".*-(sources|tests|javadoc)\\.jar"))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no plugin jar in " + folder));
    }
  }
}
