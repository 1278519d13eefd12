package io.ariadne.io.s3;

import io.ariadne.io.ReadCounters;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.apache.hadoop.fs.s3a.CredentialInitializationException;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Which failures of requests are repeated, and what the others mean to the caller of a reader.
 *
 * <table>
 *   <caption>Exceptions</caption>
 *   <tr><th>Failure</th><th>Exception</th></tr>
 *   <tr><td>no object, no bucket</td><td>{@link FileNotFoundException}</td></tr>
 *   <tr><td>no permission, no or bad or expired credentials</td><td>{@link
 *   AccessDeniedException}</td></tr>
 *   <tr><td>another version than before, another region, an archived object, no answer in spite of
 *   repetitions: the object may be intact</td><td>{@link FileSystemException}; its cause is a
 *   {@link TimeoutException} after repetitions</td></tr>
 *   <tr><td>other</td><td>{@link IOException}</td></tr>
 * </table>
 */
final class S3Failures {
  private static final int MOVED = 301;
  private static final int REDIRECTED = 307;
  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int REQUEST_TIMEOUT = 408;
  private static final int PRECONDITION_FAILED = 412;
  private static final int RANGE_NOT_SATISFIABLE = 416;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int INTERNAL_ERROR = 500;
  private static final int BAD_GATEWAY = 502;
  private static final int UNAVAILABLE = 503;
  private static final int GATEWAY_TIMEOUT = 504;

  private static final int MOST_TEXT = 300;
  private static final long MOST_RETRY_AFTER_SECONDS = 60;
  private static final double NANOS_PER_SECOND = 1e9;

  /** An answer to HEAD has no error code. */
  private static final String BAD_REQUEST_HINT =
      "; check fs.s3a.endpoint.region and the encryption key, and whether the credentials have"
          + " expired";

  private static final Set<String> THROTTLING =
      Set.of("SlowDown", "Throttling", "ThrottlingException", "RequestLimitExceeded");
  private static final Set<String> EXPIRED =
      Set.of("ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired");
  private static final Set<String> BAD_CREDENTIALS =
      Set.of("InvalidAccessKeyId", "InvalidToken", "SignatureDoesNotMatch", "InvalidSecurity");
  private static final Set<String> OTHER_REGION =
      Set.of("PermanentRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraint");
  private static final Pattern SECONDS = Pattern.compile("\\d{1,6}");
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}+");
  private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,40}");

  private S3Failures() {}

  /** What follows from a failure. */
  enum Kind {
    /** The read fails. */
    FINAL,
    /** The request is repeated. */
    PASSING,
    /** The request is repeated, and fewer are sent at once. */
    THROTTLED;

    boolean isRetried() {
      return this != FINAL;
    }
  }

  /** Returns what follows from a failure of a request. */
  static Kind kind(Throwable failure) {
    if (failure instanceof AwsServiceException refusal) {
      return kind(refusal.statusCode(), code(refusal));
    }
    if (failure instanceof ApiCallAttemptTimeoutException
        || failure instanceof ApiCallTimeoutException) {
      return Kind.PASSING;
    }
    if (failure instanceof CredentialInitializationException) {
      return Kind.FINAL;
    }
    if (failure instanceof SdkException) {
      return isPoolEmpty(failure)
          ? Kind.THROTTLED
          : connectionFailure(failure) == null ? Kind.FINAL : Kind.PASSING;
    }
    boolean isPassing =
        failure instanceof IOException
            && !(failure instanceof FileSystemException)
            && !(failure instanceof FileNotFoundException);
    return isPassing ? Kind.PASSING : Kind.FINAL;
  }

  private static Kind kind(int status, String code) {
    switch (status) {
      case UNAVAILABLE:
      case TOO_MANY_REQUESTS:
        return Kind.THROTTLED;
      case REQUEST_TIMEOUT:
      case INTERNAL_ERROR:
      case BAD_GATEWAY:
      case GATEWAY_TIMEOUT:
        return Kind.PASSING;
      default:
        if (THROTTLING.contains(code)) {
          return Kind.THROTTLED;
        }
        return code.equals("RequestTimeout") ? Kind.PASSING : Kind.FINAL;
    }
  }

  /** Whether all connections of S3A's client are in use. */
  private static boolean isPoolEmpty(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t.getClass().getSimpleName().equals("ConnectionPoolTimeoutException")) {
        return true;
      }
    }
    return false;
  }

  /** Returns the failure of a connection that a new connection may not have; null for none. */
  private static IOException connectionFailure(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof SSLException) {
        return null;
      }
      if (t instanceof IOException e) {
        return e;
      }
    }
    return null;
  }

  private static String code(AwsServiceException refusal) {
    String code = refusal.awsErrorDetails() == null ? null : refusal.awsErrorDetails().errorCode();
    return code == null ? "" : code;
  }

  /** Tells the gate and the counters of a request that the store refused as one too many. */
  static void report(RequestGate gate, ReadCounters counters, long sentNanos, Throwable failure) {
    if (kind(failure) == Kind.THROTTLED) {
      gate.throttled(sentNanos, retryAfterNanos(failure));
      if (failure instanceof AwsServiceException) {
        counters.throttled().increment();
      }
    }
  }

  /** Returns how long the store asks to wait; 0 when it does not ask. */
  static long retryAfterNanos(Throwable failure) {
    if (!(failure instanceof AwsServiceException refusal) || refusal.awsErrorDetails() == null) {
      return 0;
    }
    String seconds = header(refusal, "Retry-After");
    if (!SECONDS.matcher(seconds).matches()) {
      return 0;
    }
    return TimeUnit.SECONDS.toNanos(Math.min(MOST_RETRY_AFTER_SECONDS, Long.parseLong(seconds)));
  }

  private static String header(AwsServiceException refusal, String name) {
    return refusal.awsErrorDetails() == null || refusal.awsErrorDetails().sdkHttpResponse() == null
        ? ""
        : refusal.awsErrorDetails().sdkHttpResponse().firstMatchingHeader(name).orElse("");
  }

  /** Returns the exception for an object that another one has replaced. */
  static FileSystemException changed(S3Object object, String how, Throwable cause) {
    FileSystemException changed =
        new FileSystemException(
            object.toString(),
            null,
            "the object changed while the query read it: "
                + how
                + "; run the query again, and write new objects instead of replacing those in use");
    changed.initCause(cause);
    return changed;
  }

  /**
   * Returns the exception that the caller of a reader gets.
   *
   * @param object what was read
   * @param range what of it, for the message
   * @param failure the last failure of a request
   * @param attempts how often it was tried; 0 when another attempt would not have helped
   * @param nanos how long all attempts took
   */
  static Throwable translate(
      S3Object object, String range, Throwable failure, int attempts, long nanos) {
    if (failure instanceof Error
        || failure instanceof FileSystemException
        || failure instanceof FileNotFoundException) {
      return failure;
    }
    if (attempts > 0) {
      return exhausted(object, range, failure, attempts, nanos);
    }
    if (failure instanceof AwsServiceException refusal) {
      return refused(object, range, refusal);
    }
    String file = object.toString();
    if (failure instanceof CredentialInitializationException) {
      return with(
          new AccessDeniedException(
              file,
              null,
              text(failure)
                  + "; check fs.s3a.aws.credentials.provider and what it needs on the executors"),
          failure);
    }
    return new IOException(range + " of " + file + ": " + text(failure), failure);
  }

  private static FileSystemException exhausted(
      S3Object object, String range, Throwable failure, int attempts, long nanos) {
    boolean isThrottled = kind(failure) == Kind.THROTTLED;
    String remedy =
        isThrottled
            ? "; the store limits the rate of requests: read with fewer executors, spread the keys"
                + " over several prefixes, or raise fs.s3a.retry.throttle.limit"
            : "; check the network and fs.s3a.endpoint, or raise fs.s3a.retry.limit";
    String reason =
        range
            + ": no answer after "
            + attempts
            + (attempts == 1 ? " attempt in " : " attempts in ")
            + String.format(Locale.ROOT, "%.1f s", nanos / NANOS_PER_SECOND)
            + ", the last failed with "
            + text(failure)
            + remedy;
    TimeoutException timeout = new TimeoutException(reason);
    timeout.initCause(failure);
    return with(new FileSystemException(object.toString(), null, reason), timeout);
  }

  private static IOException refused(S3Object object, String range, AwsServiceException refusal) {
    String file = object.toString();
    String code = code(refusal);
    String said = range + ": " + text(refusal);
    switch (refusal.statusCode()) {
      case NOT_FOUND:
        FileNotFoundException missing =
            new FileNotFoundException(
                file
                    + " does not exist: "
                    + said
                    + (code.equals("NoSuchBucket")
                        ? "; check the bucket's name and fs.s3a.endpoint"
                        : "; it was deleted after the listing, or is named wrongly"));
        missing.initCause(refusal);
        return missing;
      case PRECONDITION_FAILED:
        return changed(object, "its ETag was " + object.version() + " (" + said + ")", refusal);
      case RANGE_NOT_SATISFIABLE:
        return changed(object, "it is shorter than its listing says (" + said + ")", refusal);
      default:
        String region = header(refusal, "x-amz-bucket-region");
        if (OTHER_REGION.contains(code) || isRedirection(refusal.statusCode())) {
          String where = REGION.matcher(region).matches() ? region : "the region of the bucket";
          return with(
              new FileSystemException(
                  file, null, said + "; set fs.s3a.endpoint.region to " + where),
              refusal);
        }
        return denied(object, said, code, refusal);
    }
  }

  private static boolean isRedirection(int status) {
    return status == MOVED || status == REDIRECTED;
  }

  private static IOException denied(
      S3Object object, String said, String code, AwsServiceException refusal) {
    String file = object.toString();
    if (code.equals("InvalidObjectState")) {
      return with(
          new FileSystemException(file, null, said + "; the object is archived: restore it"),
          refusal);
    }
    boolean isCredential = EXPIRED.contains(code) || BAD_CREDENTIALS.contains(code);
    int status = refusal.statusCode();
    if (!isCredential && status != FORBIDDEN && status != UNAUTHORIZED) {
      String hint = status == BAD_REQUEST ? BAD_REQUEST_HINT : "";
      return new IOException(file + " " + said + hint, refusal);
    }
    String remedy =
        EXPIRED.contains(code)
            ? "; the credentials have expired: renew them, or let a provider of"
                + " fs.s3a.aws.credentials.provider do it"
            : BAD_CREDENTIALS.contains(code)
                ? "; the store does not accept the credentials: check fs.s3a.access.key,"
                    + " fs.s3a.secret.key and fs.s3a.session.token, or their provider"
                : code.equals("RequestTimeTooSkewed")
                    ? "; set the clocks of the executors"
                    : "; allow s3:GetObject on "
                        + object.resource()
                        + ", and kms:Decrypt if KMS encrypts it; without s3:ListBucket the answer"
                        + " is the same when there is no such key";
    return with(new AccessDeniedException(file, null, said + remedy), refusal);
  }

  private static FileSystemException with(FileSystemException exception, Throwable cause) {
    exception.initCause(cause);
    return exception;
  }

  /** Returns one short line about a failure. */
  static String text(Throwable failure) {
    if (failure instanceof AwsServiceException refusal) {
      String code = code(refusal);
      String id = refusal.requestId();
      String message =
          refusal.awsErrorDetails() == null ? null : refusal.awsErrorDetails().errorMessage();
      return refusal.statusCode()
          + (code.isEmpty() ? "" : " " + line(code))
          + (message == null ? "" : ", " + line(message))
          + (id == null ? "" : " (request " + line(id) + ")");
    }
    String message = failure.getMessage();
    return failure.getClass().getSimpleName() + (message == null ? "" : ": " + line(message));
  }

  private static String line(String text) {
    String line = CONTROL.matcher(text).replaceAll(" ");
    return line.length() <= MOST_TEXT ? line : line.substring(0, MOST_TEXT) + "...";
  }
}
