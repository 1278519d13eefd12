/**
 * Reads byte ranges of objects in S3 and compatible stores through the client that Hadoop's S3A has
 * configured: {@link io.ariadne.io.s3.S3ReaderProvider} decides whether it can, {@link
 * io.ariadne.io.s3.S3ObjectReader} sends ranged GET requests, several at once.
 *
 * <p>How a read proceeds:
 *
 * <pre>
 *  ranges --PartPlan--> parts --PartRead--> attempts --RequestGate--> threads --S3A's client--> S3
 *                                 |
 *                                 +-- a failed attempt: back off, resume at the first missing byte
 *                                 +-- first byte late: a second attempt, and the faster one wins
 * </pre>
 *
 * <p>Retries. S3A configures its client to repeat requests ({@code fs.s3a.attempts.maximum}) until
 * the headers of an answer arrive; it does not repeat the body. Here each request switches that off
 * and {@link io.ariadne.io.s3.PartRead} alone repeats, so that attempts are not multiplied, each is
 * counted, and every refusal for too many requests reaches {@link io.ariadne.io.s3.RequestGate}. It
 * repeats as often as S3A itself does ({@code fs.s3a.retry.limit}, {@code
 * fs.s3a.retry.throttle.limit}), counted from the last byte that has arrived.
 *
 * <p>{@code S3ReaderProvider} links no class of hadoop-aws or of the AWS SDK, which are the user's
 * and may be missing; the other classes do. May depend on {@code columnar}.
 */
package io.ariadne.io.s3;
