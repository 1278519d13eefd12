package io.ariadne.io.s3;

import java.util.List;

/** Chooses which requests bring a set of ranges. Stateless; does no I/O. */
public interface RangePlanner {
  /**
   * One request and the wishes it serves.
   *
   * @param range what is asked of the store
   * @param parts the ranges wanted from it, ascending, each inside {@code range}
   */
  record Request(ByteRange range, List<ByteRange> parts) {
    /** Copies the list. */
    public Request {
      parts = List.copyOf(parts);
    }
  }

  /**
   * Joins ranges whose gap costs less to read than a request costs to make, and cuts what is larger
   * than a request should be.
   *
   * @param wanted ranges in any order; may touch, must not overlap
   * @return requests, ascending, that do not overlap; every wanted byte is in exactly one part
   * @throws IllegalArgumentException when wanted ranges overlap
   */
  List<Request> plan(List<ByteRange> wanted);
}
