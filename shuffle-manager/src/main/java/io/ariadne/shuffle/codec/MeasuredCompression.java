package io.ariadne.shuffle.codec;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compresses where that makes the transfer faster, by the measured rates of link and codecs and the
 * measured ratios. Compressing and sending overlap, so the slower of them counts: compression pays
 * on links that are slower than the codec, for bytes that become shorter.
 *
 * <p>A ratio that is not measured yet is taken for a good one, so that a block is tried; and one
 * block in {@link #PROBE_INTERVAL} is compressed by another codec than the best one so far, where
 * that might pay. On fast links nothing is tried.
 */
public final class MeasuredCompression implements CompressionPolicy {
  /** How often another codec is tried. */
  static final int PROBE_INTERVAL = 64;

  /** Compression has to take less than this part of the time without it. */
  private static final double WORTH = 0.96;

  /** Bytes after a compression per byte before, until it is measured. */
  private static final double HOPED_RATIO = 0.25;

  /** Shorter ones are sent as they are. */
  private static final long MIN_BYTES = 1024;

  /** Weight of the newest measurement. */
  private static final double NEWEST = 0.2;

  /** A measured time counts at most as so many times the mean of those before. */
  private static final double MAX_GROWTH = 4;

  /** Contents whose ratios are remembered. */
  private static final int MAX_CONTENTS = 256;

  private static final int NANOS_PER_SECOND = 1_000_000_000;
  private static final List<Codec> COMPRESSING = List.of(Codec.LZ4, Codec.ZSTD);

  /** Nanoseconds per byte of one core; assumptions. */
  private static final Map<Codec, Double> ASSUMED = Map.of(Codec.LZ4, 1.5, Codec.ZSTD, 3.0);

  @GuardedBy("this")
  private final Map<Codec, Double> nanosPerByte = new EnumMap<>(ASSUMED);

  @GuardedBy("this")
  private final Map<Object, Content> contents =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Content> eldest) {
          return size() > MAX_CONTENTS;
        }
      };

  /** What is known of one content. */
  private static final class Content {
    final Map<Codec, Double> ratios = new EnumMap<>(Codec.class);
    int choices;
    int probes;
  }

  /** Creates a policy without measurements. */
  public MeasuredCompression() {}

  @Override
  public synchronized Codec choose(Object content, double linkBytesPerSecond, long lengthInBytes) {
    if (!(linkBytesPerSecond > 0) || lengthInBytes < MIN_BYTES || lengthInBytes > Codec.MAX_BYTES) {
      return Codec.NONE;
    }
    double link = NANOS_PER_SECOND / linkBytesPerSecond;
    Content known = contents.computeIfAbsent(content, key -> new Content());
    Codec best = best(known, link);
    return ++known.choices % PROBE_INTERVAL == 0 ? probe(known, link, best) : best;
  }

  @GuardedBy("this")
  private Codec best(Content content, double link) {
    Codec best = Codec.NONE;
    double bestNanos = link * WORTH;
    for (Codec codec : COMPRESSING) {
      double ratio = content.ratios.getOrDefault(codec, HOPED_RATIO);
      double nanos = Math.max(nanosPerByte.get(codec), ratio * link);
      if (nanos < bestNanos) {
        best = codec;
        bestNanos = nanos;
      }
    }
    return best;
  }

  /** Returns another codec that might be better now, or else the best one. */
  private static Codec probe(Content content, double link, Codec best) {
    Codec other = COMPRESSING.get(content.probes++ % COMPRESSING.size());
    // By the assumed rate: a measured one may be wrong because the thread was interrupted.
    boolean mightPay = Math.max(ASSUMED.get(other), HOPED_RATIO * link) < link * WORTH;
    return mightPay ? other : best;
  }

  @Override
  public synchronized void compressed(
      Object content, Codec codec, long lengthInBytes, long compressedBytes, long nanos) {
    double old = nanosPerByte.get(codec);
    // A thread may have been interrupted for long.
    double rate = Math.min((double) nanos / lengthInBytes, old * MAX_GROWTH);
    nanosPerByte.put(codec, old + NEWEST * (rate - old));
    double ratio = (double) compressedBytes / lengthInBytes;
    contents
        .computeIfAbsent(content, key -> new Content())
        .ratios
        .merge(codec, ratio, (before, newest) -> before + NEWEST * (newest - before));
  }
}
