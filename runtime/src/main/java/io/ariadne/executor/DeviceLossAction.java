package io.ariadne.executor;

import java.util.Objects;

/**
 * What a runtime does when its device is lost, beside refusing it further work.
 *
 * @param description what happens after the loss, half a sentence for the log
 * @param action does the rest; called once, by the thread that met the error, so it neither waits
 *     nor throws
 */
public record DeviceLossAction(String description, Runnable action) {
  /** The runtime goes on with the host's kernels. */
  public static final DeviceLossAction USE_HOST =
      new DeviceLossAction("later tasks run on the host's kernels", () -> {});

  /** Checks for nulls. */
  public DeviceLossAction {
    Objects.requireNonNull(description, "description is null");
    Objects.requireNonNull(action, "action is null");
  }
}
