/**
 * The tier on disk: {@link io.ariadne.spill.disk.DiskSpillStore}.
 *
 * <p>A batch becomes a {@code StoredColumn} per column (lengths, kept in memory) and bytes; these
 * go through a {@code FrameWriter} (checksums, compression, encryption, pages) into an extent of a
 * {@code SpillDirectory}, and back through a {@code FrameReader}. {@code SpillIo} has the threads.
 *
 * <p>May depend on {@code columnar}, {@code memory} and the contracts in {@code spill}. Knows
 * nothing of who spills and why.
 */
package io.ariadne.spill.disk;
