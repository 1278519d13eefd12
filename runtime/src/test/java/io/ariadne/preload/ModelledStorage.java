package io.ariadne.preload;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A storage in virtual time, with a latency, and rates per request and in total. */
final class ModelledStorage {
  private static final double STEP_SECONDS = 0.005;
  private static final int STEPS_OF_A_RATE = 10;
  private static final double LATENCY_SECONDS = 0.02;
  private static final double REQUEST_BYTES = 750_000;
  private static final double NANOS = 1e9;

  private final Random random;
  private final double variation;
  private double perRequest;
  private double total;
  private double seconds;
  private long steps;
  private double factor = 1;

  private static final class Request {
    double latency;
    double bytes;
  }

  /**
   * Creates a storage.
   *
   * @param random draws the variation
   * @param variation standard deviation of the logarithm of the rate
   */
  ModelledStorage(Random random, double variation) {
    this.random = random;
    this.variation = variation;
  }

  /** Sets the rates, in MB/s. */
  ModelledStorage rates(double ofRequest, double ofAll) {
    perRequest = ofRequest * 1e6;
    total = ofAll * 1e6;
    return this;
  }

  /**
   * Reads so many requests, as many at once as the limit allows.
   *
   * @return their rate, as a share of the total rate
   */
  double read(RequestLimit limit, int count) {
    double start = seconds;
    int left = count;
    List<Request> reading = new ArrayList<>();
    while (left > 0 || !reading.isEmpty()) {
      for (; left > 0 && reading.size() < limit.current(); left--) {
        reading.add(request());
      }
      step(reading);
      for (Request each : List.copyOf(reading)) {
        if (each.bytes <= 0) {
          limit.ended((long) REQUEST_BYTES, (long) (seconds * NANOS), left > 0);
          reading.remove(each);
        }
      }
    }
    return count * REQUEST_BYTES / (seconds - start) / total;
  }

  private Request request() {
    Request request = new Request();
    request.latency = LATENCY_SECONDS * (0.8 + random.nextDouble() / 2);
    request.bytes = REQUEST_BYTES * (0.7 + 0.6 * random.nextDouble());
    return request;
  }

  private void step(List<Request> reading) {
    if (steps++ % STEPS_OF_A_RATE == 0) {
      factor = Math.exp(variation * random.nextGaussian());
    }
    long transferring = reading.stream().filter(r -> r.latency <= 0).count();
    double rate = Math.min(perRequest, total / Math.max(1, transferring)) * factor;
    for (Request each : reading) {
      if (each.latency > 0) {
        each.latency -= STEP_SECONDS;
      } else {
        each.bytes -= rate * STEP_SECONDS;
      }
    }
    seconds += STEP_SECONDS;
  }
}
