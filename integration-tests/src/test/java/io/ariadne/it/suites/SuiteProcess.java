package io.ariadne.it.suites;

import io.ariadne.it.files.LocalFiles;
import io.ariadne.it.suites.TestResult.Outcome;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.scalatest.Args;
import org.scalatest.Suite;
import scala.Option;
import scala.collection.immutable.Set;

/**
 * Main class of the JVMs that run suites, one after the other: reads the names of suites and their
 * {@link SuiteSettings} from the standard input, and writes to the standard output what came of
 * each test. What tests print goes to the standard error.
 */
public final class SuiteProcess {
  /** Answers, each one field of a line: a suite found, a test begun, a test's result, the end. */
  static final String FOUND = "FOUND";

  static final String BEGIN = "BEGIN";
  static final String RESULT = "RESULT";
  static final String END = "END";

  /** The request for the names of all suites. */
  static final String DISCOVER = "DISCOVER";

  private static final double NANOS = 1e9;

  /** The file system of most suites: their tests fail when a stream stays open. */
  private static final String FILE_SYSTEM = "org.apache.spark.DebugFilesystem";

  /** How the threads of Spark's {@code StreamExecution} are named. */
  private static final String STREAM = "stream execution thread for ";

  private final PrintStream answers;

  private SuiteProcess(PrintStream answers) {
    this.answers = answers;
  }

  /** Serves requests until the input ends. */
  public static void main(String[] arguments) throws IOException {
    PrintStream answers = System.out;
    System.setOut(
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
    LocalFiles.install(FILE_SYSTEM);
    SuiteProcess process = new SuiteProcess(answers);
    BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      List<String> request = Fields.of(line);
      if (request.get(0).equals(DISCOVER)) {
        SuiteDiscovery.names().forEach(name -> process.answer(FOUND, name));
        process.answer(END, 0, 0, 0);
      } else {
        process.run(
            request.get(0),
            SuiteSettings.parse(request.get(1)),
            request.subList(2, request.size()));
      }
    }
    Runtime.getRuntime().halt(0); // threads that a suite has left must not keep the process
  }

  private synchronized void answer(Object... fields) {
    answers.println(Fields.line(fields));
    answers.flush();
  }

  private void run(String suite, SuiteSettings settings, List<String> tests) {
    System.err.println("=== " + suite + " (" + settings + ")");
    settings.apply();
    long start = System.nanoTime();
    int plans = PlanCounts.all();
    int ours = PlanCounts.ours();
    List<String> refused = new ArrayList<>();
    attempt(
        suite,
        settings.isMemoryRefused(),
        tests,
        result -> {
          if (result.outcome() == Outcome.REFUSED) {
            refused.add(result.test());
          } else {
            tell(result);
          }
        });
    if (!refused.isEmpty()) {
      attempt(suite, false, refused, result -> tell(again(result)));
    }
    answer(
        END,
        (System.nanoTime() - start) / NANOS,
        PlanCounts.all() - plans,
        PlanCounts.ours() - ours);
  }

  private static TestResult again(TestResult result) {
    return result.outcome() == Outcome.PASSED ? result.as(Outcome.REFUSED) : result;
  }

  private void tell(TestResult result) {
    answer(RESULT, result.toLine());
  }

  /**
   * Runs a suite, or those of some tests that it has; what fails outside of a test is told of the
   * suite.
   */
  private void attempt(
      String suite, boolean isMemoryRefused, List<String> tests, Consumer<TestResult> results) {
    ResultReporter reporter =
        new ResultReporter(isMemoryRefused, test -> answer(BEGIN, test), results);
    try {
      if (tests.isEmpty()) {
        run(suite, Option.empty(), reporter);
      } else {
        Set<String> names = newInstance(suite).testNames();
        for (String test : tests) {
          if (names.contains(test)) {
            run(suite, Option.apply(test), reporter);
          }
        }
      }
    } catch (Throwable e) { // what a suite throws ends the suite only
      results.accept(
          new TestResult(TestResult.WHOLE_SUITE, Outcome.FAILED, 0, Failure.describe(e)));
    } finally {
      RefusedMemory.end();
      endStreams();
    }
  }

  /** Ends streaming queries that a suite has left: without data they never meet their context. */
  private static void endStreams() {
    Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(STREAM))
        .forEach(Thread::interrupt);
  }

  /** Each run is of an instance of its own, as Spark's keep tables of the session they had. */
  private static void run(String suite, Option<String> test, ResultReporter reporter)
      throws ReflectiveOperationException {
    newInstance(suite)
        .run(
            test,
            new Args(
                reporter,
                Args.$lessinit$greater$default$2(),
                Args.$lessinit$greater$default$3(),
                Args.$lessinit$greater$default$4(),
                Args.$lessinit$greater$default$5(),
                Args.$lessinit$greater$default$6(),
                Args.$lessinit$greater$default$7(),
                Args.$lessinit$greater$default$8(),
                Args.$lessinit$greater$default$9(),
                Args.$lessinit$greater$default$10()))
        .waitUntilCompleted();
  }

  private static Suite newInstance(String suite) throws ReflectiveOperationException {
    return (Suite) Class.forName(suite).getDeclaredConstructor().newInstance();
  }
}
