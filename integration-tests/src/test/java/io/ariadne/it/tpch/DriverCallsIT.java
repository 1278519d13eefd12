package io.ariadne.it.tpch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.it.tpch.DriverCalls.Figures;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four queries of TPC-H on the back end {@code cuda} over the fake driver: Spark's answers, and as
 * many calls of the driver as {@code docs/benchmarks/gpu/driver-calls.tsv} has. Where fewer are
 * needed, that file is written anew: {@code -Dariadne.test.driver.calls=write}.
 */
class DriverCallsIT {
  private static final Path TABLE =
      Path.of(System.getProperty("ariadne.it.root"), "docs/benchmarks/gpu/driver-calls.tsv");

  /** Which of two tasks takes which batch is luck, and so are a few calls. */
  private static final double TOLERANCE = 1.2;

  private static final long SLACK = 2;
  private static final int MAX_SECONDS = 300;

  @TempDir private Path folder;

  @Test
  void callsOfTheCudaDriverStayWithinTheirBudget() throws Exception {
    Path counted = folder.resolve("driver-calls.tsv");
    run(counted);
    List<String> lines = Files.readAllLines(counted);
    System.out.println(String.join("\n", lines));
    if ("write".equals(System.getProperty("ariadne.test.driver.calls"))) {
      Files.write(TABLE, lines);
    }
    List<String> committed = Files.readAllLines(TABLE);
    assertEquals(committed.get(0), lines.get(0));
    assertEquals(committed.size(), lines.size());
    for (int i = 1; i < lines.size(); i++) {
      check(Figures.parse(committed.get(i)), Figures.parse(lines.get(i)));
    }
  }

  private static void check(Figures committed, Figures counted) {
    assertEquals(committed.query(), counted.query());
    assertEquals(committed.rows(), counted.rows());
    for (int i = 0; i < committed.calls().size(); i++) {
      long before = committed.calls().get(i);
      long now = counted.calls().get(i);
      boolean isMore = now > before * TOLERANCE + SLACK;
      boolean isLess = now * TOLERANCE + SLACK < before;
      assertTrue(!isMore, "more than before: " + counted + ", not " + committed);
      assertTrue(!isLess, "write the table anew, there are fewer: " + counted + ", " + committed);
    }
    assertTrue(counted.calls().get(0) > 0, "nothing was launched: " + counted);
  }

  private void run(Path counted) throws IOException, InterruptedException {
    Path log = folder.resolve("driver-calls.log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(each -> !each.startsWith("-javaagent") && !each.startsWith("-D"))
        .forEach(command::add);
    System.getProperties().stringPropertyNames().stream()
        .filter(name -> name.startsWith("ariadne."))
        .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
    command.add("-Dariadne.test.faults=false");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(DriverCalls.class.getName(), counted.toString()));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      boolean hasEnded = process.waitFor(MAX_SECONDS, TimeUnit.SECONDS);
      String words = Files.readString(log);
      assertTrue(hasEnded, () -> "no end after " + MAX_SECONDS + " s: " + words);
      assertEquals(0, process.exitValue(), words);
    } finally {
      process.destroyForcibly();
    }
  }
}
