package io.ariadne.preload;

import io.ariadne.preload.RangeRequest.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The scans of a process and their requests that have not begun: those that a thread needs come
 * first, in the order in which they were needed, then those nearest to their use, of all scans
 * alike. Used under the executor's lock.
 */
final class RequestQueue {
  private final List<PreloadScan> scans = new ArrayList<>();

  /** The requests that are needed before they have begun; those at the head may have begun. */
  private final Deque<RangeRequest> needed = new ArrayDeque<>();

  /** Bytes of the requests that may begin before a thread needs them. */
  private long bytes;

  void add(PreloadScan scan) {
    scans.add(scan);
  }

  void remove(PreloadScan scan) {
    scans.remove(scan);
  }

  List<PreloadScan> scans() {
    return scans;
  }

  /** Returns the bytes of all requests that may begin before a thread needs them. */
  long bytes() {
    return bytes;
  }

  /** Notes that a request waits to begin. */
  void queued(RangeRequest request) {
    request.state = State.QUEUED;
    count(request, request.range.length());
  }

  /** Notes that a thread needs a request that waits to begin. */
  void needed(RangeRequest request) {
    needed.addLast(request);
  }

  /** Notes that a request no longer waits to begin. */
  void left(RangeRequest request, State next) {
    request.state = next;
    count(request, -request.range.length());
  }

  private void count(RangeRequest request, long added) {
    bytes += request.owner.isCertain() ? added : 0;
  }

  /** Returns the request to begin next, which stays in the queue; null for none. */
  RangeRequest first() {
    while (!needed.isEmpty() && needed.element().state != State.QUEUED) {
      needed.remove();
    }
    return needed.isEmpty() ? nearest() : needed.element();
  }

  private RangeRequest nearest() {
    boolean hasMore = true;
    for (int distance = 0; hasMore; distance++) {
      hasMore = false;
      for (PreloadScan scan : scans) {
        if (distance < scan.ranges().size()) {
          hasMore = true;
          RangeRequest request = scan.ranges().get(distance).firstQueued();
          if (request != null) {
            return request;
          }
        }
      }
    }
    return null;
  }
}
