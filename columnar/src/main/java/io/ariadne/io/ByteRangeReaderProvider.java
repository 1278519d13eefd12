package io.ariadne.io;

import io.ariadne.columnar.buffer.MemoryTier;
import java.io.IOException;
import java.util.Set;

/**
 * Opens files of one kind of storage; found through {@link java.util.ServiceLoader} with the
 * engine's own class loader ({@link ByteRangeReaders}). Thread-safe.
 */
public interface ByteRangeReaderProvider {
  /** Returns a short name for settings and messages, such as {@code s3}. */
  String name();

  /** Returns the rank among providers that can open the same file: the highest one opens it. */
  int priority();

  /**
   * Decides whether this provider can open files of a storage. Does no I/O. The answer holds for
   * all files with the same scheme, authority and storage client.
   *
   * @param request one of the files
   */
  Support support(OpenRequest request);

  /** Returns the tiers its readers can fill without a copy by the caller. */
  Set<MemoryTier> tiers();

  /**
   * Opens a file. Sends at most one request, and none when the length is known.
   *
   * @param request a file that is supported
   * @return a reader, which the caller closes
   * @throws java.io.FileNotFoundException when the file does not exist
   * @throws IOException when it cannot be opened; the message names the file
   */
  ByteRangeReader open(OpenRequest request) throws IOException;

  /**
   * Whether a provider can open files of a storage.
   *
   * @param kind the decision
   * @param detail how it reads, such as {@code 64 connections of S3A's client}, or why it does not
   */
  record Support(Kind kind, String detail) {
    /** The decisions. */
    public enum Kind {
      /** It can. */
      SUPPORTED,
      /** It is made for such files but cannot open these: the reason is reported. */
      REFUSED,
      /** It is made for other files. */
      OTHER_STORAGE
    }

    /** The answer of a provider that is made for other files. */
    public static final Support OTHER = new Support(Kind.OTHER_STORAGE, "");

    /** Returns the answer of a provider that can open the files. */
    public static Support by(String detail) {
      return new Support(Kind.SUPPORTED, detail);
    }

    /** Returns the answer of a provider that is made for such files but cannot open these. */
    public static Support refused(String reason) {
      return new Support(Kind.REFUSED, reason);
    }
  }
}
