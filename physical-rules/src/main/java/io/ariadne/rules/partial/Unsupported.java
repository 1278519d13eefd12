package io.ariadne.rules.partial;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;

/** Makes the exceptions of queries that are not supported. */
final class Unsupported {
  private Unsupported() {}

  /**
   * Returns the exception.
   *
   * @param reason why not
   * @param advice what the user can do
   */
  static EngineException query(String reason, String advice) {
    return new EngineException(
        ErrorCode.UNSUPPORTED,
        "no partial results of this query, because " + reason + "; " + advice);
  }
}
