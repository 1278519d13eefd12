package io.ariadne.error;

/** The kind of failure that an {@link EngineException} reports, and how callers react to it. */
public enum ErrorCode {
  /**
   * The plan needs something that Ariadne does not support; thrown at plan time only. Reaction: the
   * operator stays with Spark.
   */
  UNSUPPORTED,
  /** A memory tier is exhausted. Reaction: spill, split the input or retry. */
  OUT_OF_MEMORY,
  /** A transport failed. Reaction: a retry, then a fetch failure. */
  TRANSPORT,
  /** A file or block is damaged; the message names the file, column and offset. */
  CORRUPT_DATA,
  /**
   * The user's data or query is at fault; carries the class and message Spark itself would raise.
   */
  USER,
  /** A setting is invalid; the message names the key and the valid choices. */
  CONFIGURATION,
  /**
   * The device that the work runs on is lost and cannot be used by this process any more. Reaction:
   * a retry, which runs on the host or in another process.
   */
  DEVICE_LOST,
  /** A broken invariant of Ariadne. */
  INTERNAL
}
