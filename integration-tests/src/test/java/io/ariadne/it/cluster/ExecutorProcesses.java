package io.ariadne.it.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The processes of a local cluster, as the operating system sees them, from its driver. */
final class ExecutorProcesses {
  private static final long COMMAND_SECONDS = 20;
  private static final String BACKEND = "CoarseGrainedExecutorBackend";

  private ExecutorProcesses() {}

  /**
   * An executor.
   *
   * @param id Spark's
   * @param handle its process
   */
  record Executor(int id, ProcessHandle handle) {
    long pid() {
      return handle.pid();
    }

    @Override
    public String toString() {
      return "executor " + id + " pid " + pid();
    }
  }

  /** Returns the executors that run, the oldest first. */
  static List<Executor> executors() {
    List<Executor> executors = new ArrayList<>();
    ProcessHandle.current().descendants().forEach(handle -> add(handle, executors));
    executors.sort(Comparator.comparingInt(Executor::id));
    return executors;
  }

  private static void add(ProcessHandle handle, List<Executor> executors) {
    try {
      byte[] line = Files.readAllBytes(Path.of("/proc/" + handle.pid() + "/cmdline"));
      List<String> words = Arrays.asList(new String(line, StandardCharsets.UTF_8).split("\0", -1));
      int at = words.indexOf("--executor-id");
      if (at > 0 && words.stream().anyMatch(word -> word.endsWith(BACKEND))) {
        executors.add(new Executor(Integer.parseInt(words.get(at + 1)), handle));
      }
    } catch (IOException e) {
      // It has ended.
    }
  }

  /**
   * What a process has.
   *
   * @param rssBytes resident memory
   * @param files open file descriptors
   * @param threads its threads
   */
  record Usage(long rssBytes, long files, long threads) {
    /** Reads it; null when the process has ended. */
    static Usage of(long pid) {
      try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
        long rss = 0;
        long threads = 0;
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
          if (line.startsWith("VmRSS:")) {
            rss = number(line) << 10;
          } else if (line.startsWith("Threads:")) {
            threads = number(line);
          }
        }
        return threads == 0 ? null : new Usage(rss, files.count(), threads);
      } catch (IOException e) {
        return null;
      }
    }

    private static long number(String line) {
      return Long.parseLong(line.replaceAll("\\D", ""));
    }
  }

  /**
   * Runs a command of the operating system.
   *
   * @return what it printed, and its exit status unless that is 0
   */
  static String command(String... words) {
    try {
      Path output = Files.createTempFile("soak", ".out");
      try {
        Process process =
            new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
          process.destroyForcibly().waitFor();
        }
        String text = Files.readString(output);
        return process.exitValue() == 0 ? text : text + "exit status " + process.exitValue();
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      return e + ", exit status unknown";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + words[0] + " runs", e);
    }
  }

  /** Returns whether what {@link #command} returns is of a command that failed. */
  static boolean isFailure(String output) {
    return output.contains("exit status ");
  }

  /** Sends a signal, such as {@code STOP}. */
  static void signal(long pid, String name) {
    command("kill", "-" + name, String.valueOf(pid));
  }

  /** Prints the stacks of all threads of the driver and the executors. */
  static void printStacks() {
    String jstack = Path.of(System.getProperty("java.home"), "bin", "jstack").toString();
    Stream.concat(Stream.of(ProcessHandle.current().pid()), executors().stream().map(Executor::pid))
        .forEach(
            pid ->
                System.out.println(
                    "STACKS of " + pid + "\n" + command(jstack, "-l", String.valueOf(pid))));
  }
}
