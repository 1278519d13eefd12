package io.ariadne.it.scan;

/** Objects read through S3A's streams. */
class S3ScanIT extends AbstractS3ScanIT {
  @Override
  String reader() {
    return "hadoop";
  }
}
