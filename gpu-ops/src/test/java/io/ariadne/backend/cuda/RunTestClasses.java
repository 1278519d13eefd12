package io.ariadne.backend.cuda;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.ariadne.testing.TestShare;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.JCudaDriver;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes without Maven, as {@code dev/gpu/on-device.sh suites} does on a machine with a
 * GPU: prints when each test starts and how it ends, so that the log of a process that had to be
 * killed names the test that hung, and writes a report in JSON.
 *
 * <p>{@code RunTestClasses [--hold-context] REPORT CLASS...}. With {@code --hold-context} the
 * device's primary context lives as long as the process: otherwise it ends and starts again with
 * each test's back end, which takes most of the time. Ends with status 1 when a test fails or there
 * is none.
 */
public final class RunTestClasses {
  private static final String HOLD = "--hold-context";

  private RunTestClasses() {}

  /**
   * Runs classes and exits.
   *
   * @param arguments as the class describes
   */
  public static void main(String[] arguments) {
    List<String> words = new ArrayList<>(List.of(arguments));
    boolean isHeld = words.remove(HOLD);
    if (words.size() < 2) {
      System.err.println("usage: RunTestClasses [" + HOLD + "] REPORT CLASS...");
      System.exit(2);
    }
    if (isHeld) {
      tryToHoldContext();
    }
    boolean isGood = false;
    try {
      Path report = Path.of(words.get(0));
      Outcomes outcomes = run(words.subList(1, words.size()), System.out, report);
      outcomes.write(report);
      System.out.println(outcomes.counts);
      isGood = outcomes.isGood();
    } catch (IOException | RuntimeException | Error e) {
      e.printStackTrace(System.err); // the exit below would lose it
    } finally {
      System.exit(isGood ? 0 : 1); // threads that tests have left do not keep the process
    }
  }

  /**
   * Runs classes in this process; prints what happens.
   *
   * @param report gets the outcomes after each test, so that they stay when the process is killed
   */
  static Outcomes run(List<String> classes, PrintStream out, Path report) {
    LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
    request.configurationParameter(TestShare.DETECTION, "false");
    classes.forEach(name -> request.selectors(selectClass(name)));
    LauncherDiscoveryRequest built = request.build();
    Outcomes outcomes = new Outcomes(out, report);
    LauncherFactory.create().execute(built, outcomes);
    return outcomes;
  }

  /** Retains the primary context of the GPU for the rest of the process; says why if it cannot. */
  static void holdContext() {
    int number = CudaBackend.configuredDevice();
    Optional<String> reason = CudaBackend.reasonAgainst(number);
    if (reason.isPresent()) {
      System.out.println("no context is held: " + reason.get());
      return;
    }
    CUdevice device = new CUdevice();
    CudaCheck.check(JCudaDriver.cuDeviceGet(device, number), "cuDeviceGet");
    CudaCheck.check(
        JCudaDriver.cuDevicePrimaryCtxRetain(new CUcontext(), device), "cuDevicePrimaryCtxRetain");
  }

  /** Tries to hold the context; the tests run without it, too. */
  private static void tryToHoldContext() {
    try {
      holdContext();
    } catch (RuntimeException e) {
      System.out.println("no context is held: " + e);
    }
  }

  /** What became of each test. Used by the thread that runs the tests. */
  static final class Outcomes implements TestExecutionListener {
    private static final String NOT_RUN = "SKIPPED";

    private final PrintStream out;
    private final Path report;
    private final Map<String, Integer> counts = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();
    private final Map<String, Integer> reasons = new TreeMap<>();

    Outcomes(PrintStream out, Path report) {
      this.out = out;
      this.report = report;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
      if (test.isTest()) {
        out.println("starts " + name(test));
      }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
      out.println("skipped " + name(test) + ": " + reason);
      counts.merge(NOT_RUN, 1, Integer::sum);
      reasons.merge(reason, 1, Integer::sum);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      Throwable thrown = result.getThrowable().orElse(null);
      if (test.isTest() || result.getStatus() != Status.SUCCESSFUL) {
        counts.merge(result.getStatus().name(), 1, Integer::sum);
        out.println(result.getStatus() + " " + name(test));
      }
      if (result.getStatus() == Status.ABORTED) {
        reasons.merge(String.valueOf(thrown == null ? null : thrown.getMessage()), 1, Integer::sum);
      }
      if (result.getStatus() == Status.FAILED) {
        failures.add(name(test) + ": " + thrown);
        if (thrown != null) {
          thrown.printStackTrace(out);
        }
      }
      if (test.isTest()) {
        writeSoFar();
      }
    }

    private void writeSoFar() {
      try {
        write(report);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot write " + report, e);
      }
    }

    /** Returns whether there were tests and none failed. */
    boolean isGood() {
      return failures.isEmpty() && !counts.isEmpty();
    }

    /**
     * Returns the outcomes as JSON: how many of each kind, failures, reasons of what did not run.
     */
    String json() {
      return "{\"counts\": %s,%n\"notRun\": %s,%n\"failures\": [%s]}%n"
          .formatted(
              object(counts),
              object(reasons),
              failures.stream().map(Outcomes::quoted).collect(Collectors.joining(",\n")));
    }

    /** Writes the outcomes as JSON, replacing the file; an unpaired surrogate becomes a '?'. */
    void write(Path file) throws IOException {
      Path written = file.resolveSibling(file.getFileName() + ".new");
      Files.write(written, json().getBytes(StandardCharsets.UTF_8));
      Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String name(TestIdentifier test) {
      String inClass =
          test.getSource()
              .filter(MethodSource.class::isInstance)
              .map(source -> ((MethodSource) source).getClassName() + " ")
              .orElse("");
      return inClass + test.getDisplayName();
    }

    private static String object(Map<String, Integer> map) {
      return map.entrySet().stream()
          .map(entry -> quoted(entry.getKey()) + ": " + entry.getValue())
          .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String quoted(String text) {
      StringBuilder quoted = new StringBuilder("\"");
      for (char c : text.toCharArray()) {
        if (c == '"' || c == '\\') {
          quoted.append('\\').append(c);
        } else if (c < ' ') {
          quoted.append(String.format("\\u%04x", (int) c));
        } else {
          quoted.append(c);
        }
      }
      return quoted.append('"').toString();
    }
  }
}
