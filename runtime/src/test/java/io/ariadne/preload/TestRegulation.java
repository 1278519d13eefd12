package io.ariadne.preload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.io.ReadStep;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the limits that regulate themselves, on a modelled storage and without waiting. */
class TestRegulation {
  private static final long SEED = Long.getLong("ariadne.test.seed", System.nanoTime());

  /** Requests that a storage of 120 MB/s answers in three seconds. */
  private static final int REQUESTS_OF_3_S = 480;

  private final Random random = new Random(SEED);

  @BeforeAll
  static void print() {
    System.out.println("seed " + SEED);
  }

  @Test
  void joinsNoGapsWithoutCoalescing() {
    ScriptedFile file = new ScriptedFile(1);
    assertTrue(new RequestSizes().maxGap(file) > 0);
    System.setProperty(ReadStep.PROPERTY, ReadStep.COALESCING.text());
    try {
      assertEquals(0, new RequestSizes().maxGap(file));
    } finally {
      System.clearProperty(ReadStep.PROPERTY);
    }
  }

  @Test
  void findsTheNumberOfRequestsThatSaturatesTheStorage() {
    ModelledStorage storage = new ModelledStorage(random, 0).rates(8, 120);
    RequestLimit limit = new RequestLimit(4, 64);
    storage.read(limit, REQUESTS_OF_3_S);
    double share = 0;
    double requests = 0;
    for (int i = 0; i < 40; i++) {
      share += storage.read(limit, REQUESTS_OF_3_S) / 40;
      requests += limit.current() / 40.0;
    }
    String result = share + " of the rate with " + requests + " requests";
    assertTrue(share > 0.92 && requests < 60, result);
  }

  /** Some seconds after a step of the rate, the mean is near that of the best fixed number. */
  @Test
  void followsAStepOfTheRate() {
    ModelledStorage storage = new ModelledStorage(random, 0).rates(8, 120);
    RequestLimit limit = new RequestLimit(16, 64);
    storage.read(limit, 10 * REQUESTS_OF_3_S);
    storage.rates(4, 200);
    storage.read(limit, 3 * REQUESTS_OF_3_S);
    double share = storage.read(limit, 10 * REQUESTS_OF_3_S);
    assertTrue(share > 0.85, () -> share + " of the rate");
  }

  /** No trial is judged by the beginning or the end of a scan, however many scans there are. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.1, 0.25})
  void shortScansInAVaryingRateDoNotWearTheLimitDown(double variation) {
    ModelledStorage storage = new ModelledStorage(random, variation).rates(8, 120);
    RequestLimit limit = new RequestLimit(16, 64);
    double mean = 0;
    for (int i = 0; i < 200; i++) {
      storage.read(limit, 40 + random.nextInt(80));
      mean += limit.current() / 200.0;
    }
    String result = mean + " requests in progress, at last " + limit.current();
    assertTrue(mean >= 15 && limit.current() >= 12, result);
  }

  @Test
  void staysPutWhenThereIsLittleToRead() {
    RequestLimit limit = new RequestLimit(16, 64);
    ModelledStorage storage = new ModelledStorage(random, 0.1).rates(8, 120);
    for (int i = 0; i < 100; i++) {
      storage.read(limit, 10);
    }
    assertEquals(16, limit.current());
  }

  @Test
  void depthGrowsWithShortagesAndShrinksWithout() {
    ReadAheadDepth depth = new ReadAheadDepth(256L << 20);
    long first = depth.current();
    depth.noteUnread(first);
    depth.tick();
    assertEquals(first, depth.current());
    for (int i = 0; i < 10; i++) {
      depth.noteUnread(depth.current() + 1);
      depth.tick();
    }
    assertEquals(256L << 20, depth.current());
    for (int i = 0; i < 2000; i++) {
      depth.tick();
    }
    assertTrue(depth.current() < first);
    assertEquals(8L << 20, depth.current());
  }

  /** A storage of a high latency needs more bytes in progress than are held ahead. */
  @Test
  void bytesInProgressDoNotCountAgainstTheDepth() {
    ReadAheadDepth depth = new ReadAheadDepth(32L << 20);
    assertEquals(8L << 20, depth.current());
    depth.begun(24L << 20);
    assertTrue(depth.mayBegin(8L << 20));
    assertFalse(depth.mayBegin((8L << 20) + 1));
    depth.arrived(4L << 20);
    assertTrue(depth.mayBegin(4L << 20));
    assertFalse(depth.mayBegin(5L << 20));
    depth.failed(20L << 20);
    assertEquals(4L << 20, depth.heldBytes());
    depth.freed(4L << 20);
    assertTrue(depth.mayBegin(8L << 20));
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
