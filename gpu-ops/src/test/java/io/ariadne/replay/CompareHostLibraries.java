package io.ariadne.replay;

import io.ariadne.backend.cpu.NativeLibrary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares the x86-64-v4 library of kernels with the v3 one: {@code ./mvnw -Pcompare-host-isa -pl
 * gpu-ops -am process-test-classes}. AVX-512 is not always faster; a family that is more than 5 %
 * slower in the geometric mean of its cases has to be listed in {@code src/main/cuda/host-isa.txt},
 * and the program then fails.
 */
public final class CompareHostLibraries {

  private static final double TOLERANCE = 1.05;
  private static final int ROUNDS = 3;

  private CompareHostLibraries() {}

  /** Runs both libraries in turn, each in JVMs of its own, and prints the table. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (!NativeLibrary.load().shortName().equals("v4")) {
      System.out.println("v3/v4 comparison skipped: this processor has no x86-64-v4");
      return;
    }
    Map<String, Double> v3 = new LinkedHashMap<>();
    Map<String, Double> v4 = new LinkedHashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      measure("v3", v3);
      measure("v4", v4);
    }
    requireNotSlower(ratios(v3, v4));
  }

  /** Prints every case and returns the ratios v4 to v3 of each family. */
  private static Map<String, List<Double>> ratios(Map<String, Double> v3, Map<String, Double> v4) {
    Map<String, List<Double>> ratios = new TreeMap<>();
    v3.forEach(
        (name, nanos) -> {
          double ratio = v4.get(name) / nanos;
          System.out.printf(
              "%-60s v3 %8.4f  v4 %8.4f ns/row  %5.2f%n",
              name.replace('\t', ' '), nanos, v4.get(name), ratio);
          String family = name.substring(0, name.indexOf('\t'));
          ratios.computeIfAbsent(family, key -> new ArrayList<>()).add(ratio);
        });
    return ratios;
  }

  private static void requireNotSlower(Map<String, List<Double>> ratios) {
    List<String> slower = new ArrayList<>();
    ratios.forEach(
        (family, values) -> {
          double mean = Math.exp(values.stream().mapToDouble(Math::log).average().orElseThrow());
          System.out.printf("%-60s geometric mean of v4 over v3 %17.2f%n", family, mean);
          if (mean > TOLERANCE) {
            slower.add(family);
          }
        });
    if (!slower.isEmpty()) {
      throw new IllegalStateException(
          "slower as x86-64-v4 than as x86-64-v3: "
              + slower
              + "; list the family in"
              + " src/main/cuda/host-isa.txt as 'FAMILY as-v3' or with another vector width");
    }
  }

  private static void measure(String level, Map<String, Double> best)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-D" + NativeLibrary.INSTRUCTION_SET_PROPERTY + "=" + level,
                "-cp",
                System.getProperty("java.class.path"),
                TimeHostKernels.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("timing " + level + " failed: " + lines);
    }
    for (String line : lines.split("\n")) {
      int tab = line.lastIndexOf('\t');
      double nanos = Double.parseDouble(line.substring(tab + 1));
      best.merge(line.substring(0, tab), nanos, Math::min);
    }
  }
}
