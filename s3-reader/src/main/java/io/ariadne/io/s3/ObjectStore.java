package io.ariadne.io.s3;

import io.ariadne.columnar.buffer.MemoryBuffer;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CompletableFuture;

/** Sends requests to one store with one identity. Thread-safe; connections are pooled. */
public interface ObjectStore extends AutoCloseable {
  /**
   * Length and version of an object.
   *
   * @param lengthInBytes its length
   * @param etag its version, sent with every read, so that reading a replaced object fails instead
   *     of returning a mixture
   */
  record Metadata(long lengthInBytes, String etag) {}

  /**
   * Requests an object's length and version. Blocks.
   *
   * @throws IOException when the object does not exist or access is denied; the message names the
   *     object
   */
  Metadata head(URI object) throws IOException;

  /**
   * Reads a range without blocking; retries according to the {@link RetryPolicy}.
   *
   * @param object the object
   * @param etag the version it must have
   * @param range the bytes
   * @param target HOST or PINNED memory; the caller keeps it open until the future completes
   * @param targetOffset first byte in the target
   * @return completes when all bytes have arrived, or with an IOException that names object, range
   *     and the store's request number; cancelling it drops the connection
   */
  CompletableFuture<Void> read(
      URI object, String etag, ByteRange range, MemoryBuffer target, long targetOffset);

  /** Aborts open requests, which complete with an error, and closes the connections. */
  @Override
  void close();
}
