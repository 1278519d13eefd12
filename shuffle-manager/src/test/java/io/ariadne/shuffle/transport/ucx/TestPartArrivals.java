package io.ariadne.shuffle.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.shuffle.transport.ArrivalRate;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Parts of replies that share a link are measured as fast as the link is. */
class TestPartArrivals {
  private static final long MEGABYTE = 1 << 20;
  private static final long MILLI = 1_000_000;
  private static final double EXPECTED = MEGABYTE * 1000.0;

  private final Random random = RandomBatches.create().random();
  private final ArrivalRate rate = new ArrivalRate();
  private long now = random.nextLong();
  private final PartArrivals arrivals = new PartArrivals(rate, () -> now);

  private void assertRate() {
    assertEquals(EXPECTED, rate.bytesPerSecond(), EXPECTED / 1000);
  }

  /** Moves the clock as a link of a megabyte per millisecond does. */
  private void arrives(long bytes) {
    now += bytes * MILLI / MEGABYTE;
    arrivals.ends(bytes);
  }

  @Test
  void partsOfOneReplyShareTheLink() {
    for (int i = 0; i < 8; i++) {
      arrivals.begins();
    }
    for (int i = 0; i < 8; i++) {
      arrives(MEGABYTE);
      assertRate();
    }
  }

  @Test
  void repliesOverlapAndPausesDoNotCount() {
    int underWay = 0;
    for (int i = 0; i < 1000; i++) {
      if (underWay == 0) {
        now += random.nextInt(1_000_000_000);
      }
      if (underWay == 0 || random.nextBoolean()) {
        arrivals.begins();
        underWay++;
      } else {
        arrives(MEGABYTE / 2 + random.nextInt(1 << 20));
        underWay--;
      }
    }
    assertRate();
  }

  /** Few bytes are not lost while others are under way, and their time is counted with them. */
  @Test
  void smallPartsCountWithLargeOnes() {
    for (int i = 0; i < 101; i++) {
      arrivals.begins();
    }
    for (int i = 0; i < 100; i++) {
      arrives(MEGABYTE / 100);
    }
    arrives(MEGABYTE);
    assertRate();
  }

  @Test
  void partsWithTheirAnnouncementsCountWhileOthersAreUnderWay() {
    arrivals.arrivedAtOnce(100 * MEGABYTE);
    assertEquals(0, rate.bytesPerSecond());
    arrivals.begins();
    now += MILLI;
    arrivals.arrivedAtOnce(MEGABYTE);
    arrives(MEGABYTE);
    assertRate();
  }

  @Test
  void failedPartsEnd() {
    arrivals.begins();
    arrivals.ends(0);
    now += 1000 * MILLI;
    arrivals.begins();
    arrives(MEGABYTE);
    assertRate();
  }
}
