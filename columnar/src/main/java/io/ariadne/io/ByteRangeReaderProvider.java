package io.ariadne.io;

import io.ariadne.columnar.buffer.MemoryTier;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Set;

/**
 * Opens files of one kind of storage; found through {@link java.util.ServiceLoader} with the
 * engine's own class loader. Thread-safe.
 */
public interface ByteRangeReaderProvider {
  /** Returns a short name for settings and messages, such as {@code s3}. */
  String name();

  /**
   * Returns whether this provider can open the file, decided by its address alone, without I/O.
   *
   * @param file absolute address with scheme
   */
  boolean supports(URI file);

  /** Returns the tiers its readers can fill without a copy by the caller. */
  Set<MemoryTier> tiers();

  /**
   * Opens a file. May block for one round trip.
   *
   * @param file an address it supports
   * @param settings the storage's settings as the user set them, such as Hadoop's {@code fs.*}
   * @return a reader, which the caller closes
   * @throws IOException when the file does not exist or access is denied; the message names the
   *     file
   */
  ByteRangeReader open(URI file, Map<String, String> settings) throws IOException;
}
