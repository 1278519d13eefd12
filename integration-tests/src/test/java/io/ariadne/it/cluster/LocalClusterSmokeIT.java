package io.ariadne.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver and two executors, each a process, given the plugin jar as a user gives it. */
class LocalClusterSmokeIT {
  private static final int TIMEOUT_SECONDS = 240;
  private static final Pattern CHECK =
      Pattern.compile("^CHECK (\\S+) (\\S+) operators=(\\d+)$", Pattern.MULTILINE);

  private static SparkHome home;

  @TempDir Path folder;

  @BeforeAll
  static void layOutSpark() throws IOException {
    Path work = Path.of(System.getProperty("ariadne.it.work"));
    home =
        SparkHome.create(
            work.resolve("spark-home"), System.getProperty("ariadne.it.scala.version"));
  }

  @Test
  void testJarAndPluginSettingAreEnough() throws Exception {
    String output = submit(List.of("--conf", "spark.plugins=io.ariadne.AriadnePlugin"));
    assertChecks(output);
    assertEquals(
        3,
        count(output, "Plugin: Ariadne \\S+ for Spark \\S+, (driver|executor): "),
        startUpLines(output));
  }

  @Test
  void testAdaptiveExecutionOffAndKryo() throws Exception {
    assertChecks(
        submit(
            List.of(
                "--conf", "spark.plugins=io.ariadne.AriadnePlugin",
                "--conf", "spark.serializer=org.apache.spark.serializer.KryoSerializer",
                "--conf", "spark.sql.adaptive.enabled=false")));
  }

  private static void assertChecks(String output) {
    Matcher matcher = CHECK.matcher(output);
    int checks = 0;
    while (matcher.find()) {
      checks++;
      assertEquals("equal", matcher.group(2), matcher.group(1) + " in\n" + output);
      assertTrue(
          Integer.parseInt(matcher.group(3)) > 0,
          matcher.group(1) + " ran nothing on Ariadne:\n" + output);
    }
    assertEquals(5, checks, output);
  }

  private static String startUpLines(String output) {
    return "start-up lines:\n"
        + String.join("\n", output.lines().filter(l -> l.contains("Ariadne")).toList());
  }

  private static int count(String output, String regex) {
    return (int) Pattern.compile(regex).matcher(output).results().count();
  }

  /** Submits the application and returns what driver and executors printed. */
  private String submit(List<String> extra) throws IOException, InterruptedException {
    Path applicationJar =
        SparkHome.packClasses(ClusterApplication.class, folder.resolve("application.jar"));
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--master", "local-cluster[2,1,1024]",
                "--jars", pluginJar().toString(),
                "--class", ClusterApplication.class.getName(),
                "--conf", "spark.ui.enabled=false",
                "--conf", "spark.driver.host=127.0.0.1",
                "--conf", "spark.driver.bindAddress=127.0.0.1",
                "--conf", "spark.sql.shuffle.partitions=3",
                "--conf", "spark.log.level=INFO"));
    arguments.addAll(extra);
    arguments.add(applicationJar.toString());
    arguments.add(folder.resolve("table").toUri().toString());
    Path log = folder.resolve("driver.log");
    Process process = home.submit(arguments, log).start();
    boolean ended = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    String output = Files.readString(log) + executorLogs();
    assertTrue(ended, "no end after " + TIMEOUT_SECONDS + " s:\n" + output);
    assertEquals(0, process.exitValue(), output);
    assertTrue(output.contains("APPLICATION FINISHED"), output);
    return output;
  }

  /**
   * Returns and removes the output of the executors, which the cluster keeps under SPARK_HOME/work.
   */
  private static String executorLogs() throws IOException {
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
    Files.move(work, home.folder().resolve("work-" + System.nanoTime()));
    return logs.toString();
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
