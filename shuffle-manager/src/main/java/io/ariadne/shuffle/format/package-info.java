/**
 * The format of the bytes in which rows travel between processes and lie in shuffle files: {@link
 * io.ariadne.shuffle.format.BlockBuffer} gathers a map task's rows and encodes them as blocks, one
 * or more per partition; {@link io.ariadne.shuffle.format.RowsEncoder} encodes rows of one
 * partition; {@link io.ariadne.shuffle.format.GatherTarget} says how much a map task gathers, with
 * blocks or without; {@link io.ariadne.shuffle.format.EncodedBlock} is a block; {@link
 * io.ariadne.shuffle.format.BlockConcatenator} makes batches of blocks.
 *
 * <p>A block, little endian, is
 *
 * <ol>
 *   <li>a header of 32 bytes: magic, version, number of columns, rows, bytes of layout, bytes of
 *       data, CRC-32C of layout and data, CRC-32C of the header before it;
 *   <li>the layout: 24 bytes per column, parents before their nested columns: physical type, flags
 *       (validity; bytes of a length: 1, 2 or 4; of a code: 1; of an integer: 1, 2, 4 or 8), nested
 *       columns, rows, bytes of strings of at most 12 bytes or the base of integers, bytes of
 *       longer strings;
 *   <li>the data of the columns in the same order: validity bits, then values. Strings are written
 *       as their lengths, the short strings, the long strings; lists and maps as their lengths.
 *       Nothing is padded. Strings may be codes, one byte per row and 0 for nulls; the at most 256
 *       strings are then a nested column. Integers of 2, 4 and 8 bytes are distances from the base,
 *       the least of them, in as many bytes as the largest distance needs. The layout gives the
 *       lengths of all data, which must add up to the length in the header.
 * </ol>
 *
 * <p>Types are not written: both sides have them from the plan. One version, no options: a reader
 * of another version refuses the block. A block has at most 2^20 rows. A block holds no positions,
 * only lengths. The decoder checks each length where it uses it, so that no damaged byte makes it
 * read outside the block. May depend on {@code columnar} and {@code columnar.concat}. Knows nothing
 * of files or transports.
 */
package io.ariadne.shuffle.format;
