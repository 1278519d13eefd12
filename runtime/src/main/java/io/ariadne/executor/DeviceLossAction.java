package io.ariadne.executor;

import java.util.Objects;

/**
 * What a runtime does when its device is lost, besides giving it no further work.
 *
 * @param description what happens after the loss, as half a sentence for the log
 * @param action called once, by the thread that noticed the loss; must neither wait nor throw
 */
public record DeviceLossAction(String description, Runnable action) {
  /** The runtime continues with the host's kernels. */
  public static final DeviceLossAction USE_HOST =
      new DeviceLossAction("later tasks run on the host's kernels", () -> {});

  /** Checks for nulls. */
  public DeviceLossAction {
    Objects.requireNonNull(description, "description is null");
    Objects.requireNonNull(action, "action is null");
  }
}
