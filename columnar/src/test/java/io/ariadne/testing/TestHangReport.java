package io.ariadne.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The report names the last event and shows where threads wait. */
@Timeout(60)
class TestHangReport {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream to = new PrintStream(printed, true, StandardCharsets.UTF_8);

  private String text() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void showsTheLastEventAndTheThreads() throws InterruptedException {
    HangReport.Watch watch = new HangReport.Watch(Duration.ofMillis(20), to);
    watch.happened("TestOne one() began");
    Thread thread = watch.start();
    while (!text().contains("hang-report")) {
      Thread.sleep(1);
    }
    thread.interrupt();
    thread.join();
    assertTrue(text().startsWith("nothing has happened for PT0.02S since TestOne one() began"));
    assertTrue(text().contains("TestHangReport.showsTheLastEventAndTheThreads"), text());
  }

  @Test
  void saysNothingWhileTestsEnd() throws InterruptedException {
    HangReport.Watch watch = new HangReport.Watch(Duration.ofMillis(500), to);
    Thread thread = watch.start();
    for (int i = 0; i < 100; i++) {
      watch.happened("test " + i + " ended");
      Thread.sleep(10);
    }
    thread.interrupt();
    thread.join();
    assertEquals("", text());
  }
}
