package io.ariadne.shuffle.transport.ucx;

/**
 * What is done to messages over UCX; those over TCP are Spark's.
 *
 * @param sealsRequests whether requests of others than introduced peers are refused
 * @param sealsReplies whether replies are encrypted; requests are then, too
 */
public record UcxSecurity(boolean sealsRequests, boolean sealsReplies) {
  /** Requests are encrypted with the replies. */
  public UcxSecurity {
    if (sealsReplies && !sealsRequests) {
      throw new IllegalArgumentException("requests are sealed where replies are");
    }
  }
}
