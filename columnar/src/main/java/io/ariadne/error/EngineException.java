package io.ariadne.error;

import java.util.Objects;

/**
 * The engine's only unchecked exception: a code that determines how callers react, and a message
 * with the relevant values.
 */
public class EngineException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  /**
   * Creates an exception.
   *
   * @param code determines how callers react
   * @param message what happened, with the values that matter
   */
  public EngineException(ErrorCode code, String message) {
    this(code, message, null);
  }

  /**
   * Creates an exception with a cause.
   *
   * @param code determines how callers react
   * @param message what happened, with the values that matter
   * @param cause the underlying failure, may be null
   */
  public EngineException(ErrorCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = Objects.requireNonNull(code, "code is null");
  }

  /** Returns whether a failure says that memory was refused. */
  public static boolean isOutOfMemory(Throwable failure) {
    return failure instanceof EngineException engine && engine.code == ErrorCode.OUT_OF_MEMORY;
  }

  /** Returns the code, which determines how callers react. */
  public ErrorCode code() {
    return code;
  }
}
