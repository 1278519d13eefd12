package io.ariadne.kernelcompiler;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs the steps whose command, inputs or outputs have changed since their last successful run,
 * several at a time. It compares contents, so a checkout that changes only file times runs nothing.
 * Its records name files relative to the module, so a copy of a checkout runs nothing either.
 *
 * <p>The environment of the programs has exactly the given variables, without {@code PATH} and the
 * compiler variables of the machine.
 */
final class StepRunner {

  private final ContentHash hashes = new ContentHash();
  private final Path module;
  private final Map<String, String> environment;
  private final List<Path> allowedRoots;
  private final int parallelism;
  private int stepCount;
  private int runCount;

  /**
   * Creates a runner.
   *
   * @param module the folder of the module
   * @param environment the whole environment of the programs
   * @param allowedRoots folders under which every file that a compiler reads must lie
   * @param parallelism number of programs that may run at a time
   */
  StepRunner(
      Path module, Map<String, String> environment, List<Path> allowedRoots, int parallelism) {
    this.module = module.toAbsolutePath().normalize();
    this.environment = Map.copyOf(environment);
    this.allowedRoots =
        allowedRoots.stream().map(root -> root.toAbsolutePath().normalize()).toList();
    this.parallelism = parallelism;
  }

  /** Returns the number of steps so far. */
  int stepCount() {
    return stepCount;
  }

  /** Returns the number of steps that have run so far. */
  int runCount() {
    return runCount;
  }

  /**
   * Updates the outputs of all steps, and returns when every step has ended.
   *
   * @throws KernelBuildException with the name and output of every failed step
   */
  void run(List<BuildStep> steps) {
    List<BuildStep> stale = steps.stream().filter(step -> !isCurrent(step)).toList();
    stepCount += steps.size();
    runCount += stale.size();
    ExecutorService pool = Executors.newFixedThreadPool(parallelism);
    List<String> failures = new ArrayList<>();
    try {
      List<Future<?>> runs = new ArrayList<>();
      stale.forEach(step -> runs.add(pool.submit(() -> runStep(step))));
      for (Future<?> run : runs) {
        awaitStep(run, failures);
      }
    } finally {
      pool.shutdownNow();
    }
    if (!failures.isEmpty()) {
      throw new KernelBuildException(String.join("\n", failures));
    }
  }

  private static void awaitStep(Future<?> run, List<String> failures) {
    try {
      run.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KernelBuildException("interrupted while compiling kernels", e);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof KernelBuildException)) {
        throw new KernelBuildException("kernel build step broke", e.getCause());
      }
      failures.add(e.getCause().getMessage());
    }
  }

  private boolean isCurrent(BuildStep step) {
    if (!Files.isRegularFile(step.stamp()) || !step.outputs().stream().allMatch(Files::exists)) {
      return false;
    }
    try {
      List<String> lines = Files.readAllLines(step.stamp());
      if (lines.isEmpty() || !lines.get(0).equals(commandHash(step))) {
        return false;
      }
      return lines.stream().skip(1).allMatch(this::isUnchanged);
    } catch (IOException e) {
      throw new KernelBuildException("cannot read " + step.stamp(), e);
    }
  }

  private boolean isUnchanged(String stampLine) {
    int space = stampLine.indexOf(' ');
    return stampLine
        .substring(0, space)
        .equals(hashes.ofFile(module.resolve(stampLine.substring(space + 1))));
  }

  private String commandHash(BuildStep step) {
    return ContentHash.ofText(String.join("\n", step.command()).replace(module.toString(), "."));
  }

  private String stampLine(Path input) {
    Path file = input.toAbsolutePath().normalize();
    return hashes.ofFile(file) + " " + (file.startsWith(module) ? module.relativize(file) : file);
  }

  private void runStep(BuildStep step) {
    try {
      Files.createDirectories(step.stamp().getParent());
      Files.deleteIfExists(step.stamp());
      execute(step);
      Set<Path> inputs = new LinkedHashSet<>(step.inputs());
      if (step.depfile().isPresent()) {
        List<Path> found = Depfile.read(step.depfile().get());
        requireAllowed(step, found);
        inputs.addAll(found);
      }
      step.outputs().forEach(hashes::forget);
      List<String> stamp = new ArrayList<>(List.of(commandHash(step)));
      inputs.forEach(input -> stamp.add(stampLine(input)));
      Files.write(step.stamp(), stamp);
    } catch (IOException e) {
      throw new KernelBuildException(step.label() + ": " + e.getMessage(), e);
    }
  }

  private void execute(BuildStep step) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(step.command());
    builder.environment().clear();
    builder.environment().putAll(environment);
    Path log = step.stamp().resolveSibling(step.outputs().get(0).getFileName() + ".log");
    builder.redirectError(log.toFile());
    Process process = builder.start();
    process.getOutputStream().close();
    byte[] output;
    try (InputStream stream = process.getInputStream()) {
      output = stream.readAllBytes();
    }
    int status = waitFor(process);
    String words = Files.readString(log);
    Files.delete(log);
    if (status != 0) {
      String printed = step.capture().isPresent() ? "" : new String(output, StandardCharsets.UTF_8);
      throw new KernelBuildException(
          step.label() + " failed with status " + status + "\n" + words + printed);
    }
    if (step.capture().isPresent()) {
      Files.write(step.capture().get(), output);
    }
  }

  private static int waitFor(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new KernelBuildException("interrupted while compiling kernels", e);
    }
  }

  private void requireAllowed(BuildStep step, List<Path> files) {
    for (Path file : files) {
      Path absolute = file.toAbsolutePath().normalize();
      if (allowedRoots.stream().noneMatch(absolute::startsWith)) {
        throw new KernelBuildException(
            step.label()
                + " read "
                + absolute
                + ", which lies outside the kernel sources and"
                + " the compiler's own headers");
      }
    }
  }
}
