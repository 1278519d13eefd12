/**
 * Reads byte ranges of objects in S3 and compatible stores: {@link io.ariadne.io.s3.RangePlanner}
 * turns many small ranges into few requests, {@link io.ariadne.io.s3.ObjectStore} sends them,
 * {@link io.ariadne.io.s3.RetryPolicy} decides about failed requests.
 *
 * <p>May depend on {@code io}, {@code columnar.buffer} and {@code error}; the S3 client is visible
 * here only. Knows nothing of file formats or of when a range is needed.
 */
package io.ariadne.io.s3;
