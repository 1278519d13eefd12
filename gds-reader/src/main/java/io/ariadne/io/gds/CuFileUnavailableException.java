package io.ariadne.io.gds;

/** cuFile is not used in this process; the message is the reason, in one line. */
final class CuFileUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  private final DirectStorage.Mode mode;

  CuFileUnavailableException(String reason) {
    this(DirectStorage.Mode.BOUNCE, reason);
  }

  CuFileUnavailableException(DirectStorage.Mode mode, String reason) {
    super(reason);
    this.mode = mode;
  }

  CuFileUnavailableException(String reason, Throwable cause) {
    super(reason, cause);
    this.mode = DirectStorage.Mode.BOUNCE;
  }

  /** Returns how bytes reach the GPU instead. */
  DirectStorage.Mode mode() {
    return mode;
  }
}
