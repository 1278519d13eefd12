package io.ariadne.backend;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Whether a device is lost: an error has left it unable to run anything for this process. A device
 * is lost once and for all, and of several causes the first stays. Thread-safe.
 */
public final class DeviceLoss {
  private final AtomicReference<String> cause = new AtomicReference<>();

  /** Is told of the loss, once; null afterwards, and before somebody has asked to be told. */
  private Consumer<String> listener;

  /** Creates the state of a device that works. */
  public DeviceLoss() {}

  /** Returns whether the device is lost. */
  public boolean isLost() {
    return cause.get() != null;
  }

  /** Returns why the device is lost, in one line; empty while it works. */
  public Optional<String> cause() {
    return Optional.ofNullable(cause.get());
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
    return new EngineException(ErrorCode.DEVICE_LOST, cause.get());
  }

  /**
   * Notes that the device is lost, unless it was before, and tells the listener on the calling
   * thread.
   *
   * @param reason which device, which call and which error, in one line
   */
  public void lose(String reason) {
    if (cause.compareAndSet(null, reason)) {
      tell();
    }
  }

  /**
   * Has the loss told, at once when it is past; on the thread that meets the error, so it must
   * neither wait nor throw.
   *
   * @param told takes the cause, once; replaces the listener before
   */
  public void whenLost(Consumer<String> told) {
    synchronized (this) {
      listener = told;
    }
    if (isLost()) {
      tell();
    }
  }

  private void tell() {
    Consumer<String> told;
    synchronized (this) {
      told = listener;
      listener = null;
    }
    if (told != null) {
      told.accept(cause.get());
    }
  }
}
