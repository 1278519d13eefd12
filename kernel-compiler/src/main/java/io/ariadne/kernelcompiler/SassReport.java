package io.ariadne.kernelcompiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the PTX assembler's report about the machine code of one family. */
final class SassReport {

  private static final String ARCHITECTURE_PREFIX = "sm_";
  private static final Pattern ENTRY =
      Pattern.compile("Compiling entry function '([^']+)' for '([^']+)'");
  private static final Pattern MEMORY =
      Pattern.compile(
          "(\\d+) bytes stack frame, (\\d+) bytes spill stores, (\\d+) bytes spill loads");
  private static final Pattern REGISTERS = Pattern.compile("Used (\\d+) registers");

  /**
   * Resource usage of one kernel on one architecture.
   *
   * @param kernel name of the entry function
   * @param architecture such as {@code sm_80}
   * @param registers per thread
   * @param spillBytes bytes of spill stores and loads per thread
   * @param stackBytes stack frame per thread
   * @param instructions machine instructions of the entry function, padding included
   * @param loopInstructions those that lie in a loop, see {@link SassLoops}
   * @param items rows that a thread processes at a time
   */
  record Usage(
      String kernel,
      String architecture,
      int registers,
      int spillBytes,
      int stackBytes,
      int instructions,
      int loopInstructions,
      int items) {

    /**
     * Returns the instructions in loops divided by the rows that a thread processes at a time: the
     * cost of a row if every instruction of a loop runs once per tile. Loops inside the loop over
     * tiles count once, so the value compares a kernel with its earlier versions, not with other
     * kernels.
     */
    double instructionsPerRow() {
      return (double) loopInstructions / items;
    }
  }

  private SassReport() {}

  /**
   * Returns one usage per kernel and architecture.
   *
   * @param report the assembler's verbose output for all architectures of a family
   * @param cubins the machine code by architecture
   * @param items rows that a thread handles at a time, by kernel
   */
  static List<Usage> read(Path report, Map<String, Path> cubins, Map<String, Integer> items)
      throws IOException {
    List<Usage> usages = new ArrayList<>();
    String kernel = null;
    String architecture = null;
    int stack = 0;
    int spill = 0;
    for (String line : Files.readAllLines(report)) {
      Matcher entry = ENTRY.matcher(line);
      Matcher memory = MEMORY.matcher(line);
      Matcher registers = REGISTERS.matcher(line);
      if (entry.find()) {
        kernel = entry.group(1);
        architecture = entry.group(2);
      } else if (memory.find()) {
        stack = Integer.parseInt(memory.group(1));
        spill = Integer.parseInt(memory.group(2)) + Integer.parseInt(memory.group(3));
      } else if (registers.find() && kernel != null) {
        int capability = Integer.parseInt(architecture.substring(ARCHITECTURE_PREFIX.length()));
        byte[] code = ElfSections.read(cubins.get(architecture)).contentOf(".text." + kernel);
        usages.add(
            new Usage(
                kernel,
                architecture,
                Integer.parseInt(registers.group(1)),
                spill,
                stack,
                code.length / SassLoops.BYTES,
                SassLoops.instructionsInLoops(code, capability),
                items.get(kernel)));
        kernel = null;
      }
    }
    return usages;
  }
}
