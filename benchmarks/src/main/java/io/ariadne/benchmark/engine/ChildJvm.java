package io.ariadne.benchmark.engine;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds command lines of JVMs with the options of this one and a class path and heap of their own.
 */
public final class ChildJvm {
  private ChildJvm() {}

  /**
   * Returns the command line of a program; the caller may append arguments.
   *
   * @param heapMegabytes the largest heap
   * @param extraClassPath jars that precede this JVM's class path
   * @param program its main class
   */
  public static List<String> command(
      int heapMegabytes, List<String> extraClassPath, String program) {
    return command(heapMegabytes, extraClassPath, List.of(), program);
  }

  /**
   * Returns the command line of a program; the caller may append arguments.
   *
   * @param heapMegabytes the largest heap
   * @param extraClassPath jars that precede this JVM's class path
   * @param options further options of the JVM
   * @param program its main class
   */
  public static List<String> command(
      int heapMegabytes, List<String> extraClassPath, List<String> options, String program) {
    List<String> classPath = new ArrayList<>(extraClassPath);
    classPath.add(System.getProperty("java.class.path"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heapMegabytes + "m");
    command.add("-Xms" + Math.min(heapMegabytes, 1024) + "m");
    command.addAll(SparkJvmOptions.get());
    command.addAll(options);
    command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath), program));
    return command;
  }
}
