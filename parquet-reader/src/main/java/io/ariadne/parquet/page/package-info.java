/**
 * Turns a column chunk's bytes into the streams of its pages: bounded read windows, page headers,
 * checksums, decompression.
 *
 * <p>{@link io.ariadne.parquet.page.ChunkPages} iterates over the pages of one chunk. A {@link
 * io.ariadne.parquet.page.Page} is decompressed only when it is loaded. {@link
 * io.ariadne.parquet.page.RecyclingAllocator} keeps buffers for the next page or batch. Sizes and
 * counts come from a hostile file and are checked before use.
 *
 * <p>May depend on {@code columnar}, {@code parquet.codec} and {@code parquet.metadata}. Knows
 * nothing of types, values or rows.
 */
package io.ariadne.parquet.page;
