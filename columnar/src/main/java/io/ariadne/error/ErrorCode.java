package io.ariadne.error;

/** What kind of failure an {@link EngineException} reports, and therefore who reacts to it. */
public enum ErrorCode {
  /**
   * The plan asks for something Ariadne cannot do; raised at plan time only, answered by Spark's
   * own operator.
   */
  UNSUPPORTED,
  /** A memory tier is exhausted; answered by spilling, splitting the input or retrying. */
  OUT_OF_MEMORY,
  /** A transport failed; answered by a retry, then by a fetch failure. */
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
   * The device that the work runs on is lost: it runs nothing any more for this process; answered
   * by a retry, which runs on the host or in another process.
   */
  DEVICE_LOST,
  /** A broken invariant of Ariadne. */
  INTERNAL
}
