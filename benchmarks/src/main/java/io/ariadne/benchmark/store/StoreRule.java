package io.ariadne.benchmark.store;

import java.util.Locale;

/** What happens to every read of one object. */
public enum StoreRule {
  /** Access is denied: 403. */
  DENIED(403, "Forbidden", "AccessDenied", "Access Denied"),
  /** The object does not exist any more: 404. */
  MISSING(404, "Not Found", "NoSuchKey", "The specified key does not exist."),
  /**
   * The object has been replaced: a request for its old contents ({@code If-Match}) gets 412, any
   * other request a response with another ETag.
   */
  CHANGED(
      412,
      "Precondition Failed",
      "PreconditionFailed",
      "At least one of the pre-conditions you specified did not hold"),
  /** The session has expired: 400. */
  EXPIRED(400, "Bad Request", "ExpiredToken", "The provided token has expired."),
  /** The bucket is in another region: 301 that names it. */
  WRONG_REGION(
      301,
      "Moved Permanently",
      "PermanentRedirect",
      "The bucket you are attempting to access must be addressed using the specified endpoint."),
  /** Every request is refused because there are too many: 503. */
  THROTTLED(503, "Slow Down", "SlowDown", "Please reduce your request rate."),
  /** Every request fails: 500. */
  BROKEN(500, "Internal Server Error", "InternalError", "We encountered an internal error."),
  /** The connection is reset within every body. */
  RESET(StoreFault.RESET),
  /** The connection is closed within every body. */
  SHORT(StoreFault.SHORT),
  /** Every body stops and neither continues nor ends. */
  STALLED(StoreFault.STALL);

  /** The region in which {@link #WRONG_REGION} says that the bucket is. */
  public static final String OTHER_REGION = "eu-central-1";

  private final int status;
  private final String reason;
  private final String code;
  private final String message;
  private final StoreFault fault;

  StoreRule(int status, String reason, String code, String message) {
    this.status = status;
    this.reason = reason;
    this.code = code;
    this.message = message;
    this.fault = null;
  }

  StoreRule(StoreFault fault) {
    this.status = 0;
    this.reason = "";
    this.code = "";
    this.message = "";
    this.fault = fault;
  }

  /** Returns the fault within the body; null when the request is refused instead. */
  StoreFault fault() {
    return fault;
  }

  /** Returns the name in lower case. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the response of S3 to a refused request.
   *
   * @param isHead whether the request is a HEAD, whose response has no body
   */
  String response(boolean isHead) {
    boolean isElsewhere = this == WRONG_REGION;
    String body =
        ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + "<Error><Code>%s</Code><Message>%s</Message>%s</Error>")
            .formatted(code, message, isElsewhere ? "<Region>" + OTHER_REGION + "</Region>" : "");
    StringBuilder head = new StringBuilder();
    head.append("HTTP/1.1 %d %s\r\n".formatted(status, reason));
    head.append("x-amz-request-id: 0000000000000000\r\nContent-Type: application/xml\r\n");
    if (isElsewhere) {
      head.append("x-amz-bucket-region: " + OTHER_REGION + "\r\n");
    }
    head.append("Content-Length: %d\r\n\r\n".formatted(isHead ? 0 : body.length()));
    return isHead ? head.toString() : head + body;
  }
}
