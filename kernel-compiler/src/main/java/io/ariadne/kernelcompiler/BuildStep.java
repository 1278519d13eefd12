package io.ariadne.kernelcompiler;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One run of a program that turns input files into output files.
 *
 * @param label name of the step in messages
 * @param command the program and its arguments
 * @param inputs the files that the program certainly reads; the depfile adds those that it finds
 *     while it compiles
 * @param depfile the dependency file in make syntax that the program writes, if it does
 * @param capture the file that receives the program's standard output, if that is a result
 * @param outputs every file that exists after a successful run, the captured file included
 */
record BuildStep(
    String label,
    List<String> command,
    List<Path> inputs,
    Optional<Path> depfile,
    Optional<Path> capture,
    List<Path> outputs) {

  BuildStep {
    command = List.copyOf(command);
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    if (outputs.isEmpty()) {
      throw new IllegalArgumentException("a step without output cannot be kept: " + label);
    }
  }

  /** Returns the step of a compiler that writes one output and a depfile beside it. */
  static BuildStep compile(String label, List<String> command, Path input, Path output) {
    return new BuildStep(
        label,
        command,
        List.of(input),
        Optional.of(depfileOf(output)),
        Optional.empty(),
        List.of(output));
  }

  /** Returns the step of a compiler whose result is its standard output. */
  static BuildStep print(String label, List<String> command, Path input, Path output) {
    return new BuildStep(
        label,
        command,
        List.of(input),
        Optional.of(depfileOf(output)),
        Optional.of(output),
        List.of(output));
  }

  /** Returns the file in which the compiler lists the files that it read for an output. */
  static Path depfileOf(Path output) {
    return output.resolveSibling(output.getFileName() + ".d");
  }

  /** Returns the file that records the command and the inputs of the last successful run. */
  Path stamp() {
    Path first = outputs.get(0);
    return first.resolveSibling(first.getFileName() + ".stamp");
  }
}
