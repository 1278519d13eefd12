package io.ariadne.it.suites;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where Spark's suites find what they look for: a folder that they take for Spark's source tree, of
 * which only the resources of {@code sql/core}'s tests are there, and working folders.
 *
 * @param root holds {@code classes} (the unpacked tests of spark-sql) and {@code jars} (what else
 *     is on their class path), which the build has put there; the rest is made
 */
record SuitesLayout(Path root) {
  static final String ROOT = "ariadne.suites.root";

  /** As Spark's parent pom has them, and what keeps runs quiet and short. */
  private static final List<String> PROPERTIES =
      List.of(
          "spark.testing=1",
          "spark.ui.enabled=false",
          "spark.ui.showConsoleProgress=false",
          "spark.unsafe.exceptionOnMemoryLeak=true",
          "spark.memory.debugFill=true",
          "spark.driver.host=127.0.0.1",
          "spark.driver.bindAddress=127.0.0.1",
          "spark.hadoop.hadoop.security.key.provider.path=test:///",
          "derby.system.durability=test",
          "java.awt.headless=true",
          "java.net.preferIPv4Stack=true");

  static SuitesLayout prepare() throws IOException {
    String root = System.getProperty(ROOT);
    if (root == null || !Files.isDirectory(Path.of(root, "classes"))) {
      throw new IllegalStateException(root + " has no classes: run Maven with -Pspark-suites");
    }
    SuitesLayout layout = new SuitesLayout(Path.of(root).toAbsolutePath());
    layout.create();
    return layout;
  }

  private void create() throws IOException {
    for (Path folder : List.of(work(), temporary(), logs(), home())) {
      delete(folder);
      Files.createDirectories(folder);
    }
    link(home().resolve("sql/core/src/test/resources"));
    link(work().resolve("src/test/resources"));
  }

  private void link(Path link) throws IOException {
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, classes());
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  Path classes() {
    return root.resolve("classes");
  }

  /** The processes' working folder. */
  Path work() {
    return root.resolve("work");
  }

  Path logs() {
    return root.resolve("logs");
  }

  private Path temporary() {
    return root.resolve("tmp");
  }

  private Path home() {
    return root.resolve("home");
  }

  /** Returns a process that runs suites, what tests print going to a file. */
  ProcessBuilder process(Path log) throws IOException {
    String classPath = classPath();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-ea", "-Xmx3g", "-Xss8m"));
    command.addAll(List.of(System.getProperty("ariadne.suites.jvm.options").trim().split("\\s+")));
    command.add("-D" + SuiteDiscovery.FOLDER + "=" + classes());
    command.add("-Dariadne.test.seed=" + System.getProperty("ariadne.test.seed", "0"));
    command.add("-Djava.io.tmpdir=" + temporary());
    command.add("-Dspark.test.home=" + home());
    PROPERTIES.forEach(property -> command.add("-D" + property));
    command.addAll(List.of("-cp", classPath, SuiteProcess.class.getName()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder.environment().put("SPARK_TESTING", "1");
    builder.environment().put("SPARK_HOME", home().toString());
    builder
        .environment()
        .put("SPARK_SCALA_VERSION", System.getProperty("ariadne.it.scala.version"));
    builder.environment().put("SPARK_DIST_CLASSPATH", classPath);
    builder.directory(work().toFile());
    builder.redirectError(log.toFile());
    return builder;
  }

  /** Spark's tests come last, as no class of ours is theirs. */
  private String classPath() throws IOException {
    List<String> entries = new ArrayList<>();
    entries.add(System.getProperty("java.class.path"));
    entries.add(classes().toString());
    try (Stream<Path> jars = Files.list(root.resolve("jars"))) {
      jars.map(Path::toString).sorted().forEach(entries::add);
    }
    return String.join(File.pathSeparator, entries);
  }
}
