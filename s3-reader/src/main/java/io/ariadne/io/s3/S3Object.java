package io.ariadne.io.s3;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.io.OpenRequest;
import io.ariadne.io.ReadCounters;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import org.apache.hadoop.fs.s3a.audit.AuditSpanS3A;
import org.apache.hadoop.fs.s3a.impl.ChangeDetectionPolicy;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.SdkPlugin;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/**
 * An object, and the requests for it. S3A's request factory makes them, with the customer's key of
 * SSE-C and what S3A adds; S3A's client signs and sends them, with its headers, endpoint, proxy and
 * TLS, within an audit span of S3A. Thread-safe.
 *
 * <p>The first answer determines the version: its ETag. Later answers with another one fail.
 */
final class S3Object {
  private static final String AUDITED_OPERATION = "op_open";
  private static final Pattern CONTENT_RANGE =
      Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18}|\\*)");
  private static final int OK = 200;
  private static final long MILLIS_PER_SECOND = 1000;

  /** Switches the SDK's own retries off for a request: see the package's description. */
  private static final SdkPlugin NO_RETRIES =
      config ->
          config.overrideConfiguration(
              config.overrideConfiguration().toBuilder()
                  .retryStrategy(AwsRetryStrategy.doNotRetry())
                  .build());

  private final S3AFileSystem files;
  private final S3Client client;
  private final AuditSpanS3A span;
  private final String key;
  private final String name;
  private final boolean sendsVersion;
  private final S3Store store;
  private final ReadCounters counters;

  @GuardedBy("this")
  private String version;

  /** When a listing says that the object was last modified, or unknown. */
  @GuardedBy("this")
  private long listedMillis = OpenRequest.UNKNOWN;

  @GuardedBy("this")
  private long lengthInBytes = -1;

  private S3Object(
      S3AFileSystem files,
      AuditSpanS3A span,
      String key,
      String name,
      S3Store store,
      ReadCounters counters) {
    this.files = files;
    this.client = files.getS3AInternals().getAmazonS3Client("ranged reads of Ariadne");
    this.span = span;
    this.key = key;
    this.name = name;
    this.sendsVersion =
        files.getChangeDetectionPolicy().getMode() == ChangeDetectionPolicy.Mode.Server;
    this.store = store;
    this.counters = counters;
  }

  /**
   * Creates an object. Sends no request.
   *
   * @param path its path in the file system
   * @throws IOException when the path names the bucket, or S3A is closed
   */
  static S3Object create(S3AFileSystem files, Path path, S3Store store, ReadCounters counters)
      throws IOException {
    String key = files.pathToKey(path);
    if (key.isEmpty()) {
      throw new FileNotFoundException(path + " is a bucket, not an object");
    }
    AuditSpanS3A before = files.getActiveAuditSpan();
    try {
      AuditSpanS3A span = files.createSpan(AUDITED_OPERATION, path.toString(), null);
      span.deactivate();
      return new S3Object(files, span, key, path.toString(), store, counters);
    } catch (IllegalStateException e) {
      throw new IOException("the file system of " + path + " is closed", e);
    } finally {
      before.activate();
    }
  }

  /** Sets the ETag that answers must have, unless one has been answered. */
  synchronized void expectVersion(String expected) {
    version = version == null ? expected : version;
  }

  /** Returns the name of the bucket, as part of an address. */
  String bucket() {
    return "s3a://" + files.getBucket();
  }

  S3Store store() {
    return store;
  }

  ReadCounters counters() {
    return counters;
  }

  /** Returns the name of the object in policies. */
  String resource() {
    String bucket = files.getBucket();
    boolean isAccessPoint = bucket.startsWith("arn:");
    return isAccessPoint ? bucket + "/object/" + key : "arn:aws:s3:::" + bucket + "/" + key;
  }

  /** Returns the ETag of the version that is read, null while unknown. */
  synchronized String version() {
    return version;
  }

  /**
   * Sets what a listing says, which answers must state, too.
   *
   * @param bytes length
   * @param modificationTimeMillis modification time, or {@link OpenRequest#UNKNOWN}
   */
  synchronized void setListed(long bytes, long modificationTimeMillis) {
    lengthInBytes = bytes;
    listedMillis = modificationTimeMillis;
  }

  private synchronized long length() {
    return lengthInBytes;
  }

  /**
   * Asks for bytes; blocks until the headers arrive.
   *
   * @param first first byte
   * @param last last byte
   * @param wait longest wait for the headers
   * @return the answer, which the caller closes after its last byte, and aborts before
   */
  ResponseInputStream<GetObjectResponse> get(long first, long last, Duration wait) {
    span.activate();
    try {
      GetObjectRequest.Builder request = files.getRequestFactory().newGetObjectRequestBuilder(key);
      request.range("bytes=" + first + "-" + last);
      String known = version();
      if (known != null && sendsVersion) {
        request.ifMatch(known);
      }
      request.overrideConfiguration(once(request.overrideConfiguration(), wait));
      return client.getObject(request.build());
    } finally {
      span.deactivate();
    }
  }

  /** Asks for length, time and version; blocks until the answer arrives. */
  HeadObjectResponse head(Duration wait) {
    span.activate();
    try {
      HeadObjectRequest.Builder request =
          files.getRequestFactory().newHeadObjectRequestBuilder(key);
      request.overrideConfiguration(once(request.overrideConfiguration(), wait));
      return client.headObject(request.build());
    } finally {
      span.deactivate();
    }
  }

  private static AwsRequestOverrideConfiguration once(
      AwsRequestOverrideConfiguration given, Duration wait) {
    AwsRequestOverrideConfiguration.Builder override =
        given == null ? AwsRequestOverrideConfiguration.builder() : given.toBuilder();
    return override.addPlugin(NO_RETRIES).apiCallAttemptTimeout(wait).build();
  }

  /**
   * Remembers what an answer to {@link #head} says.
   *
   * @throws IOException when it lacks the length
   */
  void describe(HeadObjectResponse answer) throws IOException {
    if (answer.contentLength() == null || answer.contentLength() < 0) {
      throw new IOException("the store states no length of " + this);
    }
    setListed(answer.contentLength(), OpenRequest.UNKNOWN);
    checkVersion(answer.eTag());
  }

  /**
   * Checks that an answer has the bytes of the version that is read.
   *
   * @throws java.nio.file.FileSystemException when it is another version
   * @throws IOException when the answer is not what was asked for
   */
  void check(GetObjectResponse answer, long first, long last) throws IOException {
    long length = length();
    checkTime(answer.lastModified());
    checkVersion(answer.eTag());
    String range = answer.contentRange();
    Matcher parsed = range == null ? null : CONTENT_RANGE.matcher(range);
    if (parsed == null) {
      checkWhole(answer, first, last);
      return;
    }
    if (parsed.matches() && !parsed.group(3).equals("*")) {
      long total = Long.parseLong(parsed.group(3));
      if (length >= 0 && total != length) {
        throw S3Failures.changed(this, "it had " + length + " bytes and has " + total, null);
      }
    }
    Long bytes = answer.contentLength();
    if (!parsed.matches()
        || Long.parseLong(parsed.group(1)) != first
        || Long.parseLong(parsed.group(2)) != last
        || bytes == null
        || bytes != last - first + 1) {
      throw new IOException(
          "the answer to bytes "
              + first
              + "-"
              + last
              + " has range "
              + range
              + ", length "
              + bytes);
    }
  }

  /** Checks an answer without a range: the store may send the whole object if it was asked for. */
  private void checkWhole(GetObjectResponse answer, long first, long last) throws IOException {
    Long bytes = answer.contentLength();
    boolean isWhole = answer.sdkHttpResponse().statusCode() == OK && first == 0 && bytes != null;
    if (!isWhole || bytes != last + 1) {
      throw new IOException(
          "the answer to bytes " + first + "-" + last + " has no range, length " + bytes);
    }
  }

  /**
   * Checks the time of the first answers against the listing: footers are cached by it. S3 states
   * whole seconds.
   */
  private void checkTime(Instant modified) throws IOException {
    long listed;
    synchronized (this) {
      listed = version == null ? listedMillis : OpenRequest.UNKNOWN;
    }
    boolean isKnown = listed != OpenRequest.UNKNOWN && modified != null;
    if (isKnown && Math.abs(modified.toEpochMilli() - listed) >= MILLIS_PER_SECOND) {
      String problem =
          "it was listed as of " + Instant.ofEpochMilli(listed) + " and is of " + modified;
      throw S3Failures.changed(this, problem, null);
    }
  }

  private void checkVersion(String answered) throws IOException {
    synchronized (this) {
      if (version == null) {
        version = answered;
        return;
      }
      if (version.equals(answered)) {
        return;
      }
    }
    throw S3Failures.changed(this, "its ETag was " + version() + " and is " + answered, null);
  }

  @Override
  public String toString() {
    return name;
  }
}
