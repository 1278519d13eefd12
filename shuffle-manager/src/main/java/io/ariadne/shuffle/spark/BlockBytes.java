package io.ariadne.shuffle.spark;

/**
 * The bytes of a block for Spark's writer.
 *
 * @param address address of the first byte, in host memory that the record's producer owns; valid
 *     until the writer asks for the next record
 * @param lengthInBytes number of bytes
 */
record BlockBytes(long address, long lengthInBytes) {}
