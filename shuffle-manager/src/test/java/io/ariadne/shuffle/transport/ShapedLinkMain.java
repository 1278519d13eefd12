package io.ariadne.shuffle.transport;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.ariadne.testing.TestShare;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * Runs contracts of transports in this process, for {@link TestTransportsOverShapedLink}. Prints
 * {@code TESTS succeeded failed aborted}; ends with status 1 when one fails.
 */
public final class ShapedLinkMain {
  private ShapedLinkMain() {}

  /**
   * Runs test classes and exits.
   *
   * @param classes their names
   */
  public static void main(String[] classes) {
    LauncherDiscoveryRequestBuilder request =
        LauncherDiscoveryRequestBuilder.request()
            .configurationParameter(TestShare.DETECTION, "false");
    for (String name : classes) {
      request.selectors(selectClass(name));
    }
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request.build(), listener);
    var summary = listener.getSummary();
    summary.printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
    System.out.printf(
        "TESTS %d %d %d%n",
        summary.getTestsSucceededCount(),
        summary.getTotalFailureCount(),
        summary.getTestsAbortedCount() + summary.getContainersAbortedCount());
    System.exit(summary.getTotalFailureCount() == 0 ? 0 : 1); // whatever threads are left
  }
}
