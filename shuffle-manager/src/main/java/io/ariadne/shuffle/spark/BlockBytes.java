package io.ariadne.shuffle.spark;

/**
 * A block on its way to Spark's writer.
 *
 * @param address its first byte, in host memory that stays the producer's and is valid until the
 *     next record is asked for
 * @param lengthInBytes how many
 */
public record BlockBytes(long address, long lengthInBytes) {}
