package io.ariadne.shuffle.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Transfers in virtual time, on links and with ratios of all kinds. */
class TestMeasuredCompression {
  private static final long BLOCK = 1 << 20;
  private static final int BLOCKS = 2000;

  /** Of links; about 5000 is where compressing takes as long as sending. */
  private static final double[] MEGABITS = {
    10, 50, 100, 200, 400, 1000, 2500, 3000, 3500, 4000, 4400, 4700, 5000, 6000, 10_000, 40_000
  };

  private static final Map<Codec, Double> NANOS_PER_BYTE = Map.of(Codec.LZ4, 1.7, Codec.ZSTD, 3.4);

  /** Bytes after a compression per byte before. */
  private record Data(double lz4, double zstd) {
    double ratio(Codec codec) {
      return switch (codec) {
        case NONE -> 1;
        case LZ4 -> lz4;
        case ZSTD -> zstd;
      };
    }
  }

  /** Returns how long blocks take; compressing and sending overlap. */
  private static double nanos(CompressionPolicy policy, double linkBytesPerSecond, Data data) {
    double compressing = 0;
    double sending = 0;
    for (int i = 0; i < BLOCKS; i++) {
      // The first reply has no rate to go by.
      Codec codec = policy.choose("data", i == 0 ? 0 : linkBytesPerSecond, BLOCK);
      double nanos = codec == Codec.NONE ? 0 : BLOCK * NANOS_PER_BYTE.get(codec);
      long compressed = (long) (BLOCK * data.ratio(codec));
      if (codec != Codec.NONE) {
        policy.compressed("data", codec, BLOCK, compressed, (long) nanos);
      }
      compressing += nanos;
      // A block is sent after it is compressed, and after those before it.
      sending = Math.max(sending, compressing) + compressed * 1e9 / linkBytesPerSecond;
    }
    return sending;
  }

  @Test
  void isNeverMuchWorseThanTheBestCodec() {
    List<String> worse = new ArrayList<>();
    for (double megabits : MEGABITS) {
      for (Data data :
          List.of(new Data(1, 1), new Data(0.98, 0.9), new Data(0.5, 0.4), new Data(0.25, 0.2))) {
        double link = megabits * 1e6 / 8;
        double best =
            Arrays.stream(Codec.values())
                .mapToDouble(codec -> nanos(CompressionPolicy.always(codec), link, data))
                .min()
                .orElseThrow();
        double ours = nanos(new MeasuredCompression(), link, data);
        if (ours > best * 1.05) {
          worse.add("%.0f Mbit/s, %s: %.3f of the best".formatted(megabits, data, ours / best));
        }
      }
    }
    assertEquals(List.of(), worse);
  }

  @Test
  void triesNothingOnFastLinks() {
    MeasuredCompression policy = new MeasuredCompression();
    for (int i = 0; i < 1000; i++) {
      assertEquals(Codec.NONE, policy.choose("data", 2e9, BLOCK));
    }
  }

  @Test
  void sendsShortAndLongBlocksAsTheyAre() {
    MeasuredCompression policy = new MeasuredCompression();
    assertEquals(Codec.NONE, policy.choose("data", 1e6, 100));
    assertEquals(Codec.NONE, policy.choose("data", 1e6, Codec.MAX_BYTES + 1));
    assertEquals(Codec.NONE, policy.choose("data", 0, BLOCK));
  }

  @Test
  void distinguishesContents() {
    MeasuredCompression policy = new MeasuredCompression();
    for (Codec codec : List.of(Codec.LZ4, Codec.ZSTD)) {
      policy.compressed("noise", codec, BLOCK, BLOCK, BLOCK);
      policy.compressed("text", codec, BLOCK, codec == Codec.LZ4 ? BLOCK / 2 : BLOCK, BLOCK);
    }
    assertEquals(Codec.NONE, policy.choose("noise", 10e6, BLOCK));
    assertEquals(Codec.LZ4, policy.choose("text", 10e6, BLOCK));
  }

  @Test
  void recoversFromAWrongMeasurement() {
    MeasuredCompression policy = new MeasuredCompression();
    // A thread that was interrupted for a second.
    policy.compressed("data", Codec.LZ4, BLOCK, BLOCK / 2, 1_000_000_000);
    policy.compressed("data", Codec.ZSTD, BLOCK, BLOCK / 2, 1_000_000_000);
    Data data = new Data(0.5, 0.5);
    double slow = nanos(CompressionPolicy.always(Codec.NONE), 50e6, data);
    assertTrue(nanos(policy, 50e6, data) < slow * 0.8);
  }
}
