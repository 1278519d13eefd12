package io.ariadne.shuffle.transport;

import io.ariadne.error.EngineException;

/** A range that cannot be had from its peer: the map task has to run again. */
public final class FetchFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int index;
  private final transient Peer peer;

  /**
   * Creates a failure.
   *
   * @param index which of the wanted ranges
   * @param peer who was asked last
   * @param message why
   * @param cause the last failed attempt, or null
   */
  FetchFailure(int index, Peer peer, String message, Throwable cause) {
    super(message, cause);
    this.index = index;
    this.peer = peer;
  }

  /** Describes an exception, which may have no message of its own. */
  static String text(Throwable cause) {
    return cause instanceof EngineException && cause.getMessage() != null
        ? cause.getMessage()
        : cause.toString();
  }

  /** Returns which of the wanted ranges cannot be had. */
  public int index() {
    return index;
  }

  /** Returns the peer that does not have it, or does not answer. */
  public Peer peer() {
    return peer;
  }
}
