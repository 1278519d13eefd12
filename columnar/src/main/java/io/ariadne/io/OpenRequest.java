package io.ariadne.io;

import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * A file to open.
 *
 * @param file absolute address with scheme
 * @param lengthInBytes length by a listing that the caller trusts, or {@link #UNKNOWN}; a reader
 *     then needs no request for it
 * @param modificationTimeMillis modification time by the same listing, or {@link #UNKNOWN}
 * @param localPath where the file is on this machine, null unless its storage is a local file
 *     system and nothing else
 * @param storage the client of the storage that the user has configured, such as Hadoop's {@code
 *     FileSystem}; null when there is none
 * @param counters counts the requests
 */
public record OpenRequest(
    URI file,
    long lengthInBytes,
    long modificationTimeMillis,
    Path localPath,
    Object storage,
    ReadCounters counters) {
  /** Value of an unknown length or time. */
  public static final long UNKNOWN = -1;

  /** Checks that the address has a scheme. */
  public OpenRequest {
    Objects.requireNonNull(counters, "counters is null");
    if (file.getScheme() == null) {
      throw new IllegalArgumentException("no scheme: " + file);
    }
  }

  /** Returns a request for a file of the local file system. */
  public static OpenRequest ofLocal(Path path) {
    return new OpenRequest(path.toUri(), UNKNOWN, UNKNOWN, path, null, ReadCounters.create());
  }

  /** Returns the storage's client if it is of a class. */
  public <T> Optional<T> storage(Class<T> type) {
    return type.isInstance(storage) ? Optional.of(type.cast(storage)) : Optional.empty();
  }
}
