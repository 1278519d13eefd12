package io.ariadne.benchmark;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines of JVMs like this one, with a class path and a heap of their own. */
final class ChildJvm {
  private ChildJvm() {}

  /**
   * Returns the command line of a program, to which its arguments may be added.
   *
   * @param heapMegabytes the largest heap
   * @param extraClassPath jars that are put before this JVM's class path
   * @param program its main class
   */
  static List<String> command(int heapMegabytes, List<String> extraClassPath, String program) {
    List<String> classPath = new ArrayList<>(extraClassPath);
    classPath.add(System.getProperty("java.class.path"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heapMegabytes + "m");
    command.add("-Xms" + Math.min(heapMegabytes, 1024) + "m");
    command.addAll(SparkJvmOptions.get());
    command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath), program));
    return command;
  }
}
