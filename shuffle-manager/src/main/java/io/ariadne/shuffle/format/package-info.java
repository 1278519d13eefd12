/**
 * How rows look as bytes between processes and on disk: {@link
 * io.ariadne.shuffle.format.BlockBuffer} gathers a map task's rows and makes blocks of them, one
 * per partition; {@link io.ariadne.shuffle.format.RowsEncoder} makes them of rows that are together
 * already; {@link io.ariadne.shuffle.format.GatherTarget} says how much is gathered, also by those
 * who make no blocks; {@link io.ariadne.shuffle.format.EncodedBlock} is a block; {@link
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
 *   <li>the data of the columns in the same order: validity bits, then values. Of strings there are
 *       the lengths, the short strings, the long ones; of lists and maps the lengths. Nothing is
 *       padded. Strings may be codes of at most 256 strings, which are a nested column then: a byte
 *       per row, 0 for nulls. Integers of 2, 4 and 8 bytes are distances from the base, which is
 *       the least of them, in as few bytes as the longest needs. The lengths of all that follow
 *       from the layout, which must add up to what the header says.
 * </ol>
 *
 * <p>Types are not written: both sides have them from the plan. One version, no options: a reader
 * of another version refuses the block. A block has at most 2^20 rows. A block holds no positions,
 * only lengths, each checked where it is used, so no byte can lead outside. May depend on {@code
 * columnar} and {@code columnar.concat}. Knows nothing of files or transports.
 */
package io.ariadne.shuffle.format;
