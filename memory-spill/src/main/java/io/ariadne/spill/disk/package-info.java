/**
 * Stores batches on disk: {@link io.ariadne.spill.disk.DiskSpillStore}.
 *
 * <p>A batch becomes a {@code StoredColumn} per column (lengths, which stay in memory) and bytes.
 * The bytes go through a {@code FrameWriter} (checksums, compression, encryption, pages) into
 * extents of {@code SpillDirectory}s, which have the threads, and back through a {@code
 * FrameReader}.
 *
 * <p>May depend on {@code columnar}, {@code memory} and the contracts in {@code spill}. Knows
 * nothing of the callers that spill.
 */
package io.ariadne.spill.disk;
