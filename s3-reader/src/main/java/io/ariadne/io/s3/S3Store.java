package io.ariadne.io.s3;

import io.ariadne.io.ReadStep;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;

/**
 * What the readers of one client of S3A share: the limit of its requests, and how fast the store
 * answers. Does not refer to the client, which is collected when nothing else uses it.
 *
 * @param gate starts requests
 * @param times times of recent requests
 * @param timing limits of time
 */
record S3Store(RequestGate gate, FirstByteTimes times, Timing timing) {
  private static final Map<Object, S3Store> STORES = new WeakHashMap<>();

  /** Creates the state of a client that may send a number of requests at once. */
  static S3Store create(int requests, Timing timing) {
    boolean hedges = ReadStep.SECOND_REQUESTS.isOn();
    return new S3Store(
        new RequestGate(requests, RequestThreads.requests()),
        new FirstByteTimes(hedges ? timing.hedgeFloor().toNanos() : FirstByteTimes.NEVER),
        timing);
  }

  /** Returns the state of a client, which is created on first use. */
  static S3Store of(Object client, Supplier<S3Store> create) {
    synchronized (STORES) {
      return STORES.computeIfAbsent(client, key -> create.get());
    }
  }
}
