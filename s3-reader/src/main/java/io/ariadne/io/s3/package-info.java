/**
 * Byte ranges of objects in S3 and stores like it: {@link io.ariadne.io.s3.RangePlanner} turns many
 * small wishes into few requests, {@link io.ariadne.io.s3.ObjectStore} makes them, {@link
 * io.ariadne.io.s3.RetryPolicy} says what happens when one fails.
 *
 * <p>May depend on {@code io}, {@code columnar.buffer} and {@code error}; the S3 client is visible
 * here only. Knows nothing of file formats or of when a range is needed.
 */
package io.ariadne.io.s3;
