package io.ariadne.kernelcompiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The recorded budgets of machine code per kernel and architecture, and the hard limits that no
 * record may pass. The file is tab-separated and sorted, so that a change of cost shows in review.
 */
final class SassBudgets {

  /** Registers of a multiprocessor that a block may take: 64 each at 256 threads. */
  private static final int REGISTERS_PER_BLOCK = 64 * 256;

  /** A kernel may grow by this part of its recorded instructions before the build asks. */
  private static final double INSTRUCTION_SLACK = 0.25;

  private static final String HEADER =
      "# kernel\tarchitecture\tregisters\tinstructions  (no spills, no stack frame;"
          + " written by -Dariadne.kernels=record)";

  private final Map<String, int[]> recorded;

  private SassBudgets(Map<String, int[]> recorded) {
    this.recorded = recorded;
  }

  /** Reads the file; a missing file holds no budget. */
  static SassBudgets read(Path file) throws IOException {
    Map<String, int[]> recorded = new TreeMap<>();
    if (Files.isRegularFile(file)) {
      for (String line : Files.readAllLines(file)) {
        if (!line.isBlank() && !line.startsWith("#")) {
          String[] fields = line.split("\t");
          recorded.put(
              fields[0] + "\t" + fields[1],
              new int[] {Integer.parseInt(fields[2]), Integer.parseInt(fields[3])});
        }
      }
    }
    return new SassBudgets(recorded);
  }

  /** Writes the measured usages as the new budgets. */
  static void write(Path file, List<SassReport.Usage> usages) throws IOException {
    List<String> lines = new ArrayList<>(List.of(HEADER));
    usages.stream()
        .sorted(
            Comparator.comparing(SassReport.Usage::kernel)
                .thenComparing(SassReport.Usage::architecture))
        .map(
            usage ->
                String.join(
                    "\t",
                    usage.kernel(),
                    usage.architecture(),
                    Integer.toString(usage.registers()),
                    Integer.toString(usage.instructions())))
        .forEach(lines::add);
    Files.write(file, lines);
  }

  /**
   * Returns why a usage breaks a limit that holds for every kernel; empty when it breaks none.
   *
   * @param blockSize threads per block of the kernel
   */
  static List<String> limitFaults(SassReport.Usage usage, int blockSize) {
    List<String> faults = new ArrayList<>();
    String name = usage.kernel() + " on " + usage.architecture();
    if (usage.registers() * blockSize > REGISTERS_PER_BLOCK) {
      faults.add(
          name
              + " uses "
              + usage.registers()
              + " registers in blocks of "
              + blockSize
              + " threads; the limit is "
              + REGISTERS_PER_BLOCK / blockSize);
    }
    if (usage.spillBytes() > 0) {
      faults.add(name + " spills " + usage.spillBytes() + " bytes per thread");
    }
    if (usage.stackBytes() > 0) {
      faults.add(name + " has a stack frame of " + usage.stackBytes() + " bytes per thread");
    }
    return faults;
  }

  /** Returns why a usage exceeds its recorded budget; empty when it does not or has none. */
  List<String> budgetFaults(SassReport.Usage usage) {
    int[] budget = recorded.get(usage.kernel() + "\t" + usage.architecture());
    if (budget == null) {
      return List.of();
    }
    List<String> faults = new ArrayList<>();
    String name = usage.kernel() + " on " + usage.architecture();
    if (usage.registers() > budget[0]) {
      faults.add(name + " uses " + usage.registers() + " registers; recorded " + budget[0]);
    }
    if (usage.instructions() > budget[1] * (1 + INSTRUCTION_SLACK)) {
      faults.add(name + " has " + usage.instructions() + " instructions; recorded " + budget[1]);
    }
    return faults;
  }

  /** Returns whether a kernel has a record for an architecture. */
  boolean isRecorded(SassReport.Usage usage) {
    return recorded.containsKey(usage.kernel() + "\t" + usage.architecture());
  }
}
