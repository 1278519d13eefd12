package io.ariadne.benchmark.store;

import java.util.Map;
import java.util.TreeMap;

/**
 * What clients asked of a store and got.
 *
 * @param gets GETs of objects
 * @param heads HEADs
 * @param lists listings
 * @param writes PUTs, POSTs and DELETEs
 * @param bytes bytes of objects sent to clients
 * @param writtenBytes bytes of the bodies of requests, those of signatures included
 * @param connections connections opened
 * @param busyNanos nanoseconds in which at least one GET of an object was under way
 * @param faults requests that the proxy failed, by the name of the fault or rule
 */
public record StoreTraffic(
    long gets,
    long heads,
    long lists,
    long writes,
    long bytes,
    long writtenBytes,
    long connections,
    long busyNanos,
    Map<String, Long> faults) {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Returns what has been added since an earlier state of the same store. */
  public StoreTraffic since(StoreTraffic before) {
    Map<String, Long> added = new TreeMap<>();
    faults.forEach(
        (name, count) -> {
          long more = count - before.faults.getOrDefault(name, 0L);
          if (more != 0) {
            added.put(name, more);
          }
        });
    return new StoreTraffic(
        gets - before.gets,
        heads - before.heads,
        lists - before.lists,
        writes - before.writes,
        bytes - before.bytes,
        writtenBytes - before.writtenBytes,
        connections - before.connections,
        busyNanos - before.busyNanos,
        added);
  }

  /** Returns the number of all requests. */
  public long requests() {
    return gets + heads + lists + writes;
  }

  /** Returns the bytes per second while a GET was under way; 0 when none was. */
  public double bytesPerBusySecond() {
    return busyNanos == 0 ? 0 : bytes * NANOS_PER_SECOND / busyNanos;
  }
}
