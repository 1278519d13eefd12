package io.ariadne.io.s3;

import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ByteRangeReaderProvider.Support;
import io.ariadne.io.OpenRequest;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.s3a.Constants;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import org.apache.hadoop.fs.s3a.S3AInternals;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;

/**
 * What {@link S3ReaderProvider} does with classes of hadoop-aws and the SDK, which may be missing.
 */
final class S3AClients {
  /** More connections than this bring no more bytes to one machine. */
  private static final int MOST_REQUESTS = 256;

  private S3AClients() {}

  /**
   * Decides whether objects of a file system can be read through its client.
   *
   * @throws LinkageError when a class or method is missing
   */
  static Support support(Object storage) {
    if (!(storage instanceof S3AFileSystem files)) {
      return Support.refused(
          "its class S3AFileSystem is of another class loader than Ariadne's: provide hadoop-aws"
              + " and Ariadne in the same way");
    }
    if (files.isCSEEnabled()) {
      return Support.refused("S3A encrypts on the client (CSE), which only its streams decrypt");
    }
    // Links what reads use, so that a version of hadoop-aws without it is refused now.
    S3AInternals internals = files.getS3AInternals();
    GetObjectRequest.Builder request = GetObjectRequest.builder().range("bytes=0-0");
    ClientOverrideConfiguration once =
        ClientOverrideConfiguration.builder().retryStrategy(AwsRetryStrategy.doNotRetry()).build();
    boolean hasSdk = request != null && once != null;
    if (internals == null || files.getRequestFactory() == null || !hasSdk) {
      return Support.refused("S3A is not initialized");
    }
    return Support.by(
        requests(files.getConf()) + " connections of S3A's client (" + S3Client.SERVICE_NAME + ")");
  }

  /**
   * Returns how many requests may run at once: a quarter of S3A's connections is left to listings,
   * writes and streams, which share them.
   */
  private static int requests(Configuration conf) {
    int connections =
        conf.getInt(Constants.MAXIMUM_CONNECTIONS, Constants.DEFAULT_MAXIMUM_CONNECTIONS);
    return Math.max(1, Math.min(MOST_REQUESTS, connections - (connections + 3) / 4));
  }

  private static Timing timing(Configuration conf) {
    return Timing.of(
        Math.max(0, conf.getInt(Constants.RETRY_LIMIT, Constants.RETRY_LIMIT_DEFAULT)),
        Math.max(
            0,
            conf.getInt(Constants.RETRY_THROTTLE_LIMIT, Constants.RETRY_THROTTLE_LIMIT_DEFAULT)));
  }

  /** Opens an object of a supported file system. */
  static ByteRangeReader open(OpenRequest request) throws IOException {
    S3AFileSystem files = (S3AFileSystem) request.storage();
    Configuration conf = files.getConf();
    S3Store store = S3Store.of(files, () -> S3Store.create(requests(conf), timing(conf)));
    return S3ObjectReader.open(files, store, request);
  }
}
