package io.ariadne.io.s3;

import java.util.List;

/** Plans the requests that read a set of ranges. Stateless; does no I/O. */
public interface RangePlanner {
  /**
   * One request and the wanted ranges that it covers.
   *
   * @param range the range to request from the store
   * @param parts the wanted ranges, ascending, each inside {@code range}
   */
  record Request(ByteRange range, List<ByteRange> parts) {
    /** Copies the list. */
    public Request {
      parts = List.copyOf(parts);
    }
  }

  /**
   * Merges ranges if reading the gap between them costs less than another request, and splits
   * ranges that are larger than a request should be.
   *
   * @param wanted ranges in any order; may touch, must not overlap
   * @return requests, ascending, that do not overlap; every wanted byte is in exactly one part
   * @throws IllegalArgumentException when wanted ranges overlap
   */
  List<Request> plan(List<ByteRange> wanted);
}
