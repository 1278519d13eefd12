/**
 * From a column chunk's bytes to the streams of its pages: bounded read windows, page headers,
 * checksums, decompression.
 *
 * <p>{@link io.ariadne.parquet.page.ChunkPages} walks the pages of one chunk; a {@link
 * io.ariadne.parquet.page.Page} that nobody loads is never decompressed. {@link
 * io.ariadne.parquet.page.RecyclingAllocator} keeps buffers for the next page or batch. Sizes and
 * counts are those of a hostile file: each is checked before it is used.
 *
 * <p>May depend on {@code columnar}, {@code parquet.codec} and {@code parquet.metadata}. Knows
 * nothing of types, values or rows.
 */
package io.ariadne.parquet.page;
