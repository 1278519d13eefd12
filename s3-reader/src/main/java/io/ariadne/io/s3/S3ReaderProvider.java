package io.ariadne.io.s3;

import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ByteRangeReaderProvider;
import io.ariadne.io.OpenRequest;
import java.io.IOException;
import java.util.Set;

/**
 * Opens objects of S3 and compatible stores through the client of Hadoop's S3A, so that its
 * settings apply: credentials, endpoint, region, proxy, TLS, encryption, access points, requester
 * pays. Needs hadoop-aws 3.4 or later, which the user provides; refuses others, with the reason.
 */
public final class S3ReaderProvider implements ByteRangeReaderProvider {
  private static final int PRIORITY = 30;
  private static final String S3A = "org.apache.hadoop.fs.s3a.S3AFileSystem";
  private static final String INTERNALS = "org.apache.hadoop.fs.s3a.S3AInternals";
  private static final Set<String> SCHEMES = Set.of("s3a", "s3", "s3n");

  @Override
  public String name() {
    return "s3";
  }

  @Override
  public int priority() {
    return PRIORITY;
  }

  @Override
  public Support support(OpenRequest request) {
    if (!SCHEMES.contains(request.file().getScheme()) || request.storage() == null) {
      return Support.OTHER;
    }
    Object storage = request.storage();
    if (!storage.getClass().getName().equals(S3A)) {
      return Support.refused(
          "the file system is " + storage.getClass().getName() + ", not exactly Hadoop's S3A");
    }
    if (!hasClient(storage)) {
      return Support.refused(
          "this hadoop-aws is older than 3.4 and hands out no client of the AWS SDK 2");
    }
    try {
      return S3AClients.support(storage);
    } catch (LinkageError e) {
      if (!isForeign(e)) {
        throw e;
      }
      return Support.refused(
          "hadoop-aws or the AWS SDK is not visible to Ariadne's class loader or has other classes"
              + " than 3.4 ("
              + e.getMessage()
              + "): provide both and Ariadne's jar in the same way, by spark.jars or by the folder"
              + " jars of Spark");
    }
  }

  private static boolean hasClient(Object storage) {
    try {
      Class.forName(INTERNALS, false, storage.getClass().getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Whether what is missing belongs to hadoop-aws or the SDK. */
  private static boolean isForeign(LinkageError e) {
    String message = String.valueOf(e.getMessage()).replace('/', '.');
    return message.contains("org.apache.hadoop.") || message.contains("software.amazon.");
  }

  @Override
  public Set<MemoryTier> tiers() {
    return Set.of(MemoryTier.HOST, MemoryTier.PINNED);
  }

  @Override
  public ByteRangeReader open(OpenRequest request) throws IOException {
    return S3AClients.open(request);
  }
}
