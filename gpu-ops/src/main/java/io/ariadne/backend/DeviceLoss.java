package io.ariadne.backend;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whether a device is lost: an error has left it unable to run work for this process. A lost
 * device stays lost, and the first cause is kept. Thread-safe.
 */
public final class DeviceLoss {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceLoss.class);

  /** Null while the device works; written under the monitor, together with the listener. */
  private volatile String cause;

  /** The listener of the loss; null when there is none. */
  private Consumer<String> listener;

  /** Creates the state of a device that works. */
  public DeviceLoss() {}

  /** Returns whether the device is lost. */
  public boolean isLost() {
    return cause != null;
  }

  /** Returns why the device is lost, in one line; empty while it works. */
  public Optional<String> cause() {
    return Optional.ofNullable(cause);
  }

  /**
   * Does nothing while the device works.
   *
   * @throws EngineException DEVICE_LOST with the first cause
   */
  public void check() {
    if (isLost()) {
      throw failure();
    }
  }

  /** Returns the exception that calls throw once the device is lost. */
  public EngineException failure() {
    return new EngineException(ErrorCode.DEVICE_LOST, cause);
  }

  /**
   * Marks the device as lost, unless it is lost already, and calls the listener on the calling
   * thread. Without a listener the loss is logged.
   *
   * @param reason which device, which call and which error, in one line
   */
  public void lose(String reason) {
    Consumer<String> told;
    synchronized (this) {
      if (cause != null) {
        return;
      }
      cause = reason;
      told = listener;
    }
    if (told == null) {
      LOG.error("{}; no runtime uses it yet", reason);
    } else {
      tell(told, reason);
    }
  }

  /**
   * Sets the listener of the loss; replaces an earlier one. It is called once: by the thread that
   * gets the error, or by this call when the device is already lost. A failure of the listener is
   * logged, as it must not replace the device's error.
   *
   * @param told takes the cause; must not wait
   */
  public void whenLost(Consumer<String> told) {
    synchronized (this) {
      if (cause == null) {
        listener = told;
        return;
      }
    }
    tell(told, cause);
  }

  private static void tell(Consumer<String> told, String reason) {
    try {
      told.accept(reason);
    } catch (RuntimeException | Error e) {
      LOG.error("what is to follow when a device is lost fails: {}", reason, e);
    }
  }
}
