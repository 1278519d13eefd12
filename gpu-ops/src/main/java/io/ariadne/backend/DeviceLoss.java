package io.ariadne.backend;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a device is lost: an error has left it unable to run anything for this process. A device
 * is lost once and for all, and of several causes the first stays. Thread-safe.
 */
public final class DeviceLoss {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceLoss.class);

  /** Null while the device works; written under the monitor, together with the listener. */
  private volatile String cause;

  /** Is told of the loss; null when there is none. */
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
   * Passes while the device works.
   *
   * @throws EngineException DEVICE_LOST with the first cause
   */
  public void check() {
    if (isLost()) {
      throw failure();
    }
  }

  /** Returns what calls throw once the device is lost. */
  public EngineException failure() {
    return new EngineException(ErrorCode.DEVICE_LOST, cause);
  }

  /**
   * Notes that the device is lost, unless it was before, and tells the listener on the calling
   * thread. Without one the loss is logged.
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
   * Sets who is told of the loss, in place of an earlier one: once, by the thread that meets the
   * error, or by this one when the device is lost already. A failure of the listener is logged: it
   * must not replace the error that the thread has met.
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
