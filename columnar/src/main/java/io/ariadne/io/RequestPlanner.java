package io.ariadne.io;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Turns the ranges that will be read of one file into requests: ranges of a group with a small gap
 * between them become one request, since reading the gap takes less time than another request, and
 * long ranges become several requests, which run at the same time. Stateless.
 */
public final class RequestPlanner {
  private RequestPlanner() {}

  /**
   * Plans requests.
   *
   * @param wanted ranges in any order; may touch or overlap
   * @param maxGap most bytes to read between two ranges of one request, at least 0
   * @param maxBytes most bytes of a request, at least 1
   * @return requests by ascending position that do not overlap and cover every wanted byte; the
   *     order of each is the smallest of the ranges in it
   */
  public static List<WantedRange> plan(List<WantedRange> wanted, long maxGap, long maxBytes) {
    List<WantedRange> sorted = new ArrayList<>(wanted);
    sorted.sort(Comparator.comparingLong(WantedRange::position));
    List<WantedRange> requests = new ArrayList<>();
    WantedRange open = null;
    for (WantedRange range : sorted) {
      for (WantedRange piece : pieces(afterEnd(range, open), maxBytes)) {
        WantedRange both = open == null ? null : joined(open, piece, maxGap, maxBytes);
        if (both == null && open != null) {
          requests.add(open);
        }
        open = both == null ? piece : both;
      }
    }
    if (open != null) {
      requests.add(open);
    }
    return requests;
  }

  /** Returns the part of a range that the open request does not cover, null for none. */
  private static WantedRange afterEnd(WantedRange range, WantedRange open) {
    long covered = open == null ? 0 : open.end();
    if (range.position() >= covered) {
      return range;
    }
    return range.end() <= covered
        ? null
        : new WantedRange(covered, range.end() - covered, range.order(), range.group());
  }

  /** Cuts a range into pieces of about the same length. */
  private static List<WantedRange> pieces(WantedRange range, long maxBytes) {
    if (range == null) {
      return List.of();
    }
    long count = (range.length() + maxBytes - 1) / maxBytes;
    List<WantedRange> pieces = new ArrayList<>();
    long from = 0;
    for (long i = 1; i <= count; i++) {
      long to = range.length() / count * i + Math.min(i, range.length() % count);
      pieces.add(new WantedRange(range.position() + from, to - from, range.order(), range.group()));
      from = to;
    }
    return pieces;
  }

  private static WantedRange joined(
      WantedRange first, WantedRange second, long maxGap, long maxBytes) {
    long length = second.end() - first.position();
    boolean isClose = second.position() - first.end() <= maxGap && length <= maxBytes;
    if (!isClose || first.group() != second.group()) {
      return null;
    }
    long order = Math.min(first.order(), second.order());
    return new WantedRange(first.position(), length, order, first.group());
  }
}
