package io.ariadne.benchmark.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Map;
import java.util.TreeMap;

/** Counts the traffic of a store. Thread-safe. */
final class TrafficCounter {
  @GuardedBy("this")
  private long gets;

  @GuardedBy("this")
  private long heads;

  @GuardedBy("this")
  private long lists;

  @GuardedBy("this")
  private long writes;

  @GuardedBy("this")
  private long bytes;

  @GuardedBy("this")
  private long writtenBytes;

  @GuardedBy("this")
  private long connections;

  @GuardedBy("this")
  private long busyNanos;

  @GuardedBy("this")
  private int running;

  @GuardedBy("this")
  private long busySince;

  @GuardedBy("this")
  private final Map<String, Long> faults = new TreeMap<>();

  synchronized void connection() {
    connections++;
  }

  /** Counts the start of a request. */
  synchronized void begin(RequestKind kind, long nowNanos) {
    switch (kind) {
      case GET -> {
        gets++;
        if (running++ == 0) {
          busySince = nowNanos;
        }
      }
      case HEAD -> heads++;
      case LIST -> lists++;
      default -> writes++;
    }
  }

  /** Counts the end of a request, whether it had a full response or not. */
  synchronized void end(RequestKind kind, long nowNanos) {
    if (kind == RequestKind.GET && --running == 0) {
      busyNanos += nowNanos - busySince;
    }
  }

  synchronized void sent(int sentBytes) {
    bytes += sentBytes;
  }

  synchronized void received(int receivedBytes) {
    writtenBytes += receivedBytes;
  }

  synchronized void fault(String name) {
    faults.merge(name, 1L, Long::sum);
  }

  synchronized StoreTraffic snapshot() {
    long busy = busyNanos + (running == 0 ? 0 : System.nanoTime() - busySince);
    return new StoreTraffic(
        gets, heads, lists, writes, bytes, writtenBytes, connections, busy, new TreeMap<>(faults));
  }
}
