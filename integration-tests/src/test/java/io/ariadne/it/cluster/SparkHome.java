package io.ariadne.it.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * A folder that Spark takes for its distribution: {@code jars/} of links to Spark's jars on this
 * JVM's class path, and an empty {@code RELEASE} file.
 *
 * @param folder SPARK_HOME
 * @param scalaVersion SPARK_SCALA_VERSION
 */
record SparkHome(Path folder, String scalaVersion) {
  private static final List<String> NOT_SPARK =
      List.of(
          "/io/ariadne/", "/org/junit/", "/org/opentest4j/", "/org/apiguardian/", "/com/tngtech/");

  /** Lays out the folder, replacing an older one's links. */
  static SparkHome create(Path folder, String scalaVersion) throws IOException {
    Path jars = Files.createDirectories(folder.resolve("jars"));
    try (var old = Files.list(jars)) {
      for (Path link : old.toList()) {
        Files.delete(link);
      }
    }
    Files.writeString(folder.resolve("RELEASE"), "");
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path jar = Path.of(entry);
      boolean spark = entry.endsWith(".jar") && NOT_SPARK.stream().noneMatch(entry::contains);
      if (spark && !jar.getFileName().toString().startsWith("ariadne-")) {
        Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar.toAbsolutePath());
      }
    }
    return new SparkHome(folder, scalaVersion);
  }

  /**
   * Returns a process that submits an application, its output going to {@code log}.
   *
   * @param jvmOptions of the driver and, as these inherit the environment, of the executors
   */
  ProcessBuilder submit(List<String> sparkArguments, String jvmOptions, Path log) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    command.addAll(moduleOptions());
    command.addAll(List.of("-cp", folder.resolve("jars") + "/*"));
    command.add("org.apache.spark.deploy.SparkSubmit");
    command.addAll(sparkArguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder
        .environment()
        .merge("JAVA_TOOL_OPTIONS", jvmOptions, (there, ours) -> there + " " + ours);
    builder.environment().put("SPARK_HOME", folder.toString());
    builder.environment().put("SPARK_SCALA_VERSION", scalaVersion);
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder.directory(folder.toFile());
    builder.redirectErrorStream(true);
    builder.redirectOutput(log.toFile());
    return builder;
  }

  private static List<String> moduleOptions() {
    return words(org.apache.spark.launcher.JavaModuleOptions.defaultModuleOptions());
  }

  private static List<String> words(String options) {
    return Arrays.stream(options.trim().split("\\s+")).toList();
  }

  /** Packs the class files of a package of this module into a jar. */
  static Path packClasses(Class<?> application, Path jar) throws IOException {
    Path classes =
        Path.of(application.getProtectionDomain().getCodeSource().getLocation().getPath());
    Path folder = classes.resolve(application.getPackageName().replace('.', '/'));
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
    return jar;
  }
}
