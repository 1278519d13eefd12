package io.ariadne.testing;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Prints the stacks of all threads when no test begins or ends for {@link #LIMIT}, and again after
 * as long. A test that hangs in its cleanup, where JUnit's timeouts do not reach, or in a wait that
 * ignores interrupts otherwise says nothing until the build is killed.
 */
public final class HangReport
    implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
  /** Longer than any test of a build takes on a slow machine. */
  static final Duration LIMIT = Duration.ofMinutes(10);

  /** Of this JVM: JUnit creates one extension per engine that runs in it. */
  private static final Watch WATCH = new Watch(LIMIT, System.err);

  /** Creates the extension; JUnit calls this. */
  public HangReport() {}

  @Override
  public void beforeAll(ExtensionContext context) {
    WATCH.start();
    WATCH.happened("the tests of " + context.getDisplayName() + " began");
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    WATCH.happened(name(context) + " began");
  }

  @Override
  public void afterEach(ExtensionContext context) {
    WATCH.happened(name(context) + " ended");
  }

  @Override
  public void afterAll(ExtensionContext context) {
    WATCH.happened("the tests of " + context.getDisplayName() + " ended");
  }

  private static String name(ExtensionContext context) {
    return context.getRequiredTestClass().getName() + " " + context.getDisplayName();
  }

  /** Remembers the last event of the tests; its thread looks how long ago that was. */
  static final class Watch {
    private final Duration limit;
    private final PrintStream to;
    private final AtomicLong changes = new AtomicLong();
    private volatile String last = "";
    private boolean isStarted;

    Watch(Duration limit, PrintStream to) {
      this.limit = limit;
      this.to = to;
    }

    /** Starts the thread, once; it ends when it is interrupted. */
    synchronized Thread start() {
      Thread thread = new Thread(this::look, "hang-report");
      thread.setDaemon(true);
      if (!isStarted) {
        isStarted = true;
        thread.start();
      }
      return thread;
    }

    void happened(String event) {
      last = event;
      changes.incrementAndGet();
    }

    private void look() {
      try {
        for (long seen = changes.get(); ; seen = changes.get()) {
          Thread.sleep(limit.toMillis());
          if (changes.get() == seen) {
            report();
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void report() {
      StringBuilder text = new StringBuilder();
      text.append("nothing has happened for %s since %s; the threads:%n".formatted(limit, last));
      for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true, 60)) {
        text.append(thread);
      }
      to.println(text);
    }
  }
}
