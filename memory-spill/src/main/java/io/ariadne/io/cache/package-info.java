/**
 * Keeps ranges of remote files on local disks: {@link io.ariadne.io.cache.RangeCache}.
 *
 * <p><b>Ranges, not blocks.</b> The unit of the cache is the range that a reader has read. Scans
 * read footers, page indexes and column chunks, and the next query over the same columns reads the
 * same ranges again. Blocks of fixed size would either read bytes that no one has asked for (a
 * footer of 30 KiB becomes a block of 1 MiB; at 8 MB/s that is 120 ms), or never keep what does not
 * fill a block. A range may be answered by several cached ones in part; no byte is kept twice by a
 * process.
 *
 * <p><b>Never more requests.</b> Of each range at most one part is asked of the storage ({@code
 * ReadPlan}). A read never waits for a write: bytes that have arrived are copied to staging memory,
 * and the directory's thread writes them to a file later, or they are dropped.
 *
 * <p><b>Files.</b> The ranges of one call become one file of at most 8 MiB ({@code FileLayout}), in
 * a folder named by a digest of address, length and version. A file is complete when it is renamed
 * into that folder, and never changes. The folder's listing is the index that processes share; each
 * keeps what it has read of it in memory ({@code ObjectIndex}). Every read checks a CRC32C or, with
 * a key, an AES-GCM tag per 64 KiB. A file that is gone, cut or damaged is a miss.
 *
 * <p><b>Space.</b> See {@code CacheContents} and {@code UsageLedger}. Files are deleted in the
 * order of their last use, which is their modification time, to the minute.
 *
 * <p>May depend on {@code io}, {@code columnar.buffer}, {@code error}, {@code event} and {@code
 * spill.disk} (its allocator of ranges). Knows nothing of formats, of storages and of Spark.
 */
package io.ariadne.io.cache;
