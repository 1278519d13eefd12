package io.ariadne.kernelcompiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The recorded budgets of machine code per kernel and architecture, and the hard limits of all
 * kernels. The file is tab-separated and sorted, so that reviews show changes of cost.
 */
final class SassBudgets {

  /** Registers that a block may use: 64 per thread at 256 threads. */
  private static final int REGISTERS_PER_BLOCK = 64 * 256;

  /** Fraction of its recorded instructions by which a kernel may grow before the build fails. */
  private static final double INSTRUCTION_SLACK = 0.25;

  /** The rounding error of one decimal digit. */
  private static final double ROUNDING = 0.05;

  private static final String HEADER =
      "# kernel\tarchitecture\tregisters\tinstructions\tinstructions in loops per row"
          + "  (no spills, no stack frame; written by -Dariadne.kernels=record)";

  private final Map<String, Budget> recorded;

  /**
   * The budget of a kernel on an architecture.
   *
   * @param registers per thread
   * @param instructions of the whole kernel
   * @param perRow of its loops, see {@link SassReport.Usage#instructionsPerRow()}
   */
  private record Budget(int registers, int instructions, double perRow) {}

  private SassBudgets(Map<String, Budget> recorded) {
    this.recorded = recorded;
  }

  /** Reads the file. A missing file has no budgets. */
  static SassBudgets read(Path file) throws IOException {
    Map<String, Budget> recorded = new TreeMap<>();
    if (Files.isRegularFile(file)) {
      for (String line : Files.readAllLines(file)) {
        if (!line.isBlank() && !line.startsWith("#")) {
          String[] fields = line.split("\t");
          recorded.put(
              fields[0] + "\t" + fields[1],
              new Budget(
                  Integer.parseInt(fields[2]),
                  Integer.parseInt(fields[3]),
                  fields.length > 4 ? Double.parseDouble(fields[4]) : Double.MAX_VALUE));
        }
      }
    }
    return new SassBudgets(recorded);
  }

  /** Writes the measured usage as the new budgets. */
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
                    Integer.toString(usage.instructions()),
                    String.format(Locale.ROOT, "%.1f", usage.instructionsPerRow())))
        .forEach(lines::add);
    Files.write(file, lines);
  }

  /**
   * Returns why a usage exceeds a hard limit; empty when it exceeds none.
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
    Budget budget = recorded.get(usage.kernel() + "\t" + usage.architecture());
    if (budget == null) {
      return List.of();
    }
    List<String> faults = new ArrayList<>();
    String name = usage.kernel() + " on " + usage.architecture();
    if (usage.registers() > budget.registers()) {
      faults.add(
          name + " uses " + usage.registers() + " registers; recorded " + budget.registers());
    }
    if (usage.instructions() > budget.instructions() * (1 + INSTRUCTION_SLACK)) {
      faults.add(
          name
              + " has "
              + usage.instructions()
              + " instructions; recorded "
              + budget.instructions());
    }
    if (usage.instructionsPerRow() > budget.perRow() * (1 + INSTRUCTION_SLACK) + ROUNDING) {
      faults.add(
          String.format(
              Locale.ROOT,
              "%s has %.1f instructions in loops per row; recorded %.1f",
              name,
              usage.instructionsPerRow(),
              budget.perRow()));
    }
    return faults;
  }

  /** Returns whether a kernel has a record for an architecture. */
  boolean isRecorded(SassReport.Usage usage) {
    return recorded.containsKey(usage.kernel() + "\t" + usage.architecture());
  }
}
