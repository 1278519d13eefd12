package io.ariadne.shuffle.transport;

/** A range that cannot be had from its peer: the map task has to run again. */
public final class FetchFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int index;

  /**
   * Creates a failure.
   *
   * @param index which of the wanted ranges
   * @param message why
   * @param cause the last failed attempt, or null
   */
  FetchFailure(int index, String message, Throwable cause) {
    super(message, cause);
    this.index = index;
  }

  /** Returns which of the wanted ranges cannot be had. */
  public int index() {
    return index;
  }
}
