package io.ariadne.shuffle.strategy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Notices are read as they were written; other bytes are refused. */
class TestOutputNotice {
  private final Random random = RandomBatches.create().random();

  private OutputNotice notice() {
    boolean isCommitted = random.nextBoolean();
    int first = random.nextInt(1000);
    int[] sizes = random.ints(isCommitted ? 1 + random.nextInt(30) : 0, 0, 1 << 30).toArray();
    if (isCommitted) {
      sizes[random.nextInt(sizes.length)] = 1;
    }
    long[] mapIds = random.longs(isCommitted ? 1 : 1 + random.nextInt(9), 0, 1L << 40).toArray();
    return new OutputNotice(
        isCommitted
            ? OutputNotice.Kind.COMMITTED
            : OutputNotice.Kind.values()[1 + random.nextInt(2)],
        "exécuteur-" + random.nextInt(),
        random.nextInt(1 << 20),
        mapIds,
        first,
        first + sizes.length,
        sizes,
        random.nextBoolean());
  }

  @Test
  void readsWhatIsWritten() {
    for (int run = 0; run < 200; run++) {
      OutputNotice notice = notice();
      ByteBuffer bytes = notice.encoded();
      assertEquals(notice.encodedBytes(), bytes.remaining());
      assertTrue(OutputNotice.isNotice(bytes));
      OutputNotice read = OutputNotice.decode(bytes);
      assertEquals(notice.kind(), read.kind());
      assertEquals(notice.executor(), read.executor());
      assertEquals(notice.shuffleId(), read.shuffleId());
      assertArrayEquals(notice.mapIds(), read.mapIds());
      assertEquals(notice.first(), read.first());
      assertEquals(notice.end(), read.end());
      assertArrayEquals(notice.sizes(), read.sizes());
      assertEquals(notice.drops(), read.drops());
    }
  }

  @Test
  void refusesDamagedBytes() {
    for (int run = 0; run < 5000; run++) {
      byte[] bytes = notice().encoded().array();
      int length = random.nextBoolean() ? bytes.length : random.nextInt(bytes.length + 1);
      for (int i = random.nextInt(4); i > 0 && length > 0; i--) {
        bytes[random.nextInt(Math.min(length, random.nextBoolean() ? 32 : length))] =
            (byte) random.nextInt();
      }
      ByteBuffer damaged = ByteBuffer.wrap(bytes, 0, length);
      try {
        OutputNotice read = OutputNotice.decode(damaged);
        assertTrue(read.mapIds().length > 0);
        assertTrue(read.shuffleId() >= 0);
        assertTrue(Arrays.stream(read.mapIds()).allMatch(id -> id >= 0));
        assertTrue(Arrays.stream(read.sizes()).allMatch(size -> size >= 0));
        assertTrue(read.first() <= read.end());
      } catch (EngineException e) {
        assertEquals(ErrorCode.TRANSPORT, e.code());
      }
    }
  }

  @Test
  void isNoRequestForBlocks() {
    assertFalse(OutputNotice.isNotice(ByteBuffer.allocate(0)));
    assertFalse(OutputNotice.isNotice(ByteBuffer.wrap(new byte[] {3, 0, 0})));
    byte[] bytes = notice().encoded().array();
    bytes[1]++;
    assertThrows(EngineException.class, () -> OutputNotice.decode(ByteBuffer.wrap(bytes)));
  }
}
