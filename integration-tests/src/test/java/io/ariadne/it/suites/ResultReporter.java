package io.ariadne.it.suites;

import io.ariadne.it.suites.TestResult.Outcome;
import java.util.function.Consumer;
import org.scalatest.Reporter;
import org.scalatest.events.Event;
import org.scalatest.events.TestCanceled;
import org.scalatest.events.TestFailed;
import org.scalatest.events.TestIgnored;
import org.scalatest.events.TestPending;
import org.scalatest.events.TestStarting;
import org.scalatest.events.TestSucceeded;
import scala.Option;

/**
 * Hears from ScalaTest, on the test's thread, of each test's begin and end. A test that leaves
 * bytes of Ariadne's live has failed.
 */
final class ResultReporter implements Reporter {
  private final boolean isMemoryRefused;
  private final Consumer<String> begin;
  private final Consumer<TestResult> end;
  private boolean hasRefused;

  /**
   * Creates it.
   *
   * @param isMemoryRefused whether tests run in little memory and requests of it fail; a test that
   *     says that this is why it failed is {@link Outcome#REFUSED}
   * @param begin told the name of a test that begins
   * @param end told how it ended
   */
  ResultReporter(boolean isMemoryRefused, Consumer<String> begin, Consumer<TestResult> end) {
    this.isMemoryRefused = isMemoryRefused;
    this.begin = begin;
    this.end = end;
  }

  @Override
  public void apply(Event event) {
    if (event instanceof TestStarting starting) {
      begin.accept(starting.testName());
      if (isMemoryRefused) {
        RefusedMemory.begin(starting.testName());
      }
    } else if (event instanceof TestSucceeded e) {
      ended(new TestResult(e.testName(), Outcome.PASSED, millis(e.duration()), ""));
    } else if (event instanceof TestFailed e) {
      ended(failed(e));
    } else if (event instanceof TestCanceled e) {
      ended(new TestResult(e.testName(), Outcome.CANCELED, millis(e.duration()), e.message()));
    } else if (event instanceof TestIgnored e) {
      end.accept(new TestResult(e.testName(), Outcome.IGNORED, 0, ""));
    } else if (event instanceof TestPending e) {
      ended(new TestResult(e.testName(), Outcome.IGNORED, millis(e.duration()), ""));
    }
  }

  private void ended(TestResult result) {
    RefusedMemory.end();
    String leak = LiveBytes.newlyLeaked();
    end.accept(leak.isEmpty() ? result : leaking(result, leak));
  }

  private static TestResult leaking(TestResult result, String leak) {
    String failure = result.failure().isEmpty() ? leak : result.failure() + "\n" + leak;
    return new TestResult(result.test(), Outcome.FAILED, result.millis(), failure);
  }

  private TestResult failed(TestFailed event) {
    Throwable error =
        event.throwable().isDefined()
            ? event.throwable().get()
            : new AssertionError(event.message());
    return new TestResult(
        event.testName(), outcomeOf(error), millis(event.duration()), Failure.describe(error));
  }

  /** A test that is refused memory may leave its table, which the next ones then cannot create. */
  private Outcome outcomeOf(Throwable error) {
    if (isMemoryRefused && Failure.isOfRefusedMemory(error)) {
      hasRefused = true;
      return Outcome.REFUSED;
    }
    return hasRefused && Failure.isOfTableLeft(error) ? Outcome.REFUSED : Outcome.FAILED;
  }

  private static long millis(Option<Object> duration) {
    return duration.isDefined() ? ((Number) duration.get()).longValue() : 0;
  }
}
