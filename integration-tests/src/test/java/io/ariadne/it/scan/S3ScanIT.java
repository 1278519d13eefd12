package io.ariadne.it.scan;

/**
 * Objects in S3: read through S3A's client where its version of the AWS SDK is known, else through
 * S3A's streams.
 */
class S3ScanIT extends AbstractS3ScanIT {
  @Override
  String reader() {
    return session.version().startsWith("3.") ? "hadoop" : "s3";
  }
}
