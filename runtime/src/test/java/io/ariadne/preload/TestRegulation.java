package io.ariadne.preload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests the limits that regulate themselves, on a modelled storage and without waiting. */
class TestRegulation {
  private static final double MEGABYTES_PER_TICK = 1e6 / 5;
  private static final int TICKS_OF_3_S = 15;

  /** Bytes that arrive in a tick from a storage with a rate per request and in total. */
  private static long arrived(int requests, double perRequest, double total) {
    return (long) (Math.min(requests * perRequest, total) * MEGABYTES_PER_TICK);
  }

  /** Returns the mean share of the possible rate over some time. */
  private static double share(RequestLimit limit, int ticks, double perRequest, double total) {
    double sum = 0;
    for (int i = 0; i < ticks; i++) {
      long bytes = arrived(limit.current(), perRequest, total);
      sum += bytes / (total * MEGABYTES_PER_TICK);
      limit.tick(bytes, true);
    }
    return sum / ticks;
  }

  @Test
  void findsTheNumberOfRequestsThatSaturatesTheStorage() {
    RequestLimit limit = new RequestLimit(4, 64);
    share(limit, TICKS_OF_3_S, 8, 120);
    double share = share(limit, 300, 8, 120);
    assertTrue(share > 0.97, () -> share + " of the rate");
    assertTrue(limit.current() <= 40, () -> "limit " + limit.current());
  }

  /** Within 3 s of a step of the rate, the mean is within 10 % of the best fixed number. */
  @Test
  void followsAStepOfTheRateWithinThreeSeconds() {
    RequestLimit limit = new RequestLimit(16, 64);
    share(limit, 200, 8, 120);
    share(limit, TICKS_OF_3_S, 4, 200);
    double share = share(limit, 100, 4, 200);
    assertTrue(share > 0.9, () -> share + " of the rate");
  }

  @Test
  void staysPutWhenThereIsLittleToRead() {
    RequestLimit limit = new RequestLimit(16, 64);
    for (int i = 0; i < 100; i++) {
      limit.tick(1000, false);
    }
    assertEquals(16, limit.current());
  }

  @Test
  void depthGrowsWithShortagesAndShrinksWithout() {
    ReadAheadDepth depth = new ReadAheadDepth(256L << 20);
    long first = depth.current();
    depth.noteLate(first);
    depth.tick();
    assertEquals(first, depth.current());
    for (int i = 0; i < 10; i++) {
      depth.noteLate(depth.current() + 1);
      depth.tick();
    }
    assertEquals(256L << 20, depth.current());
    for (int i = 0; i < 2000; i++) {
      depth.tick();
    }
    assertTrue(depth.current() < first);
    assertTrue(depth.current() >= 4L << 20);
  }

  @Test
  void modelFindsLatencyAndRate() {
    TransferModel model = new TransferModel();
    for (int i = 0; i < 300; i++) {
      long length = (1L + i % 7) << 18;
      model.add(length, (long) (20e6 + length / 8e6 * 1e9), 0);
    }
    assertEquals(20e6, model.latencyNanos(), 2e6);
    assertEquals(8e6 / 1e9, model.bytesPerNano(), 1e-3);
    assertEquals(160_000, model.bytesPerLatency(), 20_000);
  }

  /** Requests of one length do not tell latency and rate apart; a reader may know the latency. */
  @Test
  void modelTakesTheLatencyThatTheReaderKnows() {
    TransferModel model = new TransferModel();
    for (int i = 0; i < 300; i++) {
      model.add(2_000_000, (long) (20e6 + 2 / 8.0 * 1e9), 20_000_000);
    }
    assertEquals(20e6, model.latencyNanos(), 1e3);
    assertEquals(8e6 / 1e9, model.bytesPerNano(), 1e-3);
  }

  @Test
  void requestsGrowWithTheLatencyAndTheQueue() {
    ScriptedFile file = new ScriptedFile(1);
    RequestSizes sizes = new RequestSizes();
    long few = sizes.maxRequestBytes(file, 1 << 20, 16, 1L << 30);
    long many = sizes.maxRequestBytes(file, 1L << 30, 16, 1L << 30);
    assertTrue(few < many, () -> few + " " + many);
    assertTrue(sizes.maxGap(file) <= few);
  }

  /** Bytes of a long request are held until the last of them is used. */
  @Test
  void requestsAreShortWhereFewBytesMayBeHeld() {
    ScriptedFile file = new ScriptedFile(1);
    RequestSizes sizes = new RequestSizes();
    long efficient = sizes.maxRequestBytes(file, 0, 16, 1L << 30);
    assertEquals(efficient, sizes.maxRequestBytes(file, 1L << 30, 16, 0));
    assertEquals(4 << 20, sizes.maxRequestBytes(file, 1L << 30, 16, 64 << 20));
  }
}
