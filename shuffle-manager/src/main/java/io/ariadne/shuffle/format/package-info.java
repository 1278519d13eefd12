/**
 * How batches look as bytes between processes and on disk: {@link
 * io.ariadne.shuffle.format.BatchEncoder}.
 *
 * <p>One version, no options: a reader of another version refuses the block. Every block has a
 * header with lengths and a checksum of everything behind it. May depend on {@code columnar} and
 * {@code shuffle.codec}. Knows nothing of files, transports or partitions.
 */
package io.ariadne.shuffle.format;
