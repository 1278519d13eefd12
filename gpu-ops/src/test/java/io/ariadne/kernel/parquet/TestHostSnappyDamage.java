package io.ariadne.kernel.parquet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.kernel.testing.HostTarget;
import org.junit.jupiter.api.Test;

/**
 * Many damaged Snappy blocks on the host, against plain Java. Block and result end where a page
 * ends behind which nothing can be read or written. More of them: {@code
 * -Dariadne.fuzz.cases=<number>}.
 */
class TestHostSnappyDamage extends ParquetSuite {
  private static final int CASES = Integer.getInteger("ariadne.fuzz.cases", 20_000);
  private static final int MAX_BYTES = 1 << 17;
  private static final int CHANGES_PER_BLOCK = 20;

  TestHostSnappyDamage() {
    super(new HostTarget());
  }

  @Test
  void equalsTheReferenceOnDamagedBlocks() {
    GuardedMemory streams = new GuardedMemory(new byte[MAX_BYTES]);
    GuardedMemory results = new GuardedMemory(new byte[MAX_BYTES]);
    GuardedMemory otherStream = new GuardedMemory(new byte[MAX_BYTES]);
    GuardedMemory otherResult = new GuardedMemory(new byte[MAX_BYTES]);
    SnappyBlock.Style[] styles = SnappyBlock.Style.values();
    int refused = 0;
    try (StreamWindows windows = new StreamWindows();
        SnappyDecoder decoder = new SnappyDecoder(backend(), allocator())) {
      byte[] sound = new byte[0];
      int bytes = 0;
      for (int i = 0; i < CASES; i++) {
        if (i % CHANGES_PER_BLOCK == 0) {
          bytes = 1 + random.nextInt(1 << random.nextInt(14));
          sound = SnappyBlock.of(styles[random.nextInt(styles.length)], bytes, random).stream();
          Memory.copy(sound, 0, otherStream.address() + MAX_BYTES - sound.length, sound.length);
        }
        byte[] stream = SnappyBlock.damaged(sound, random);
        long from = streams.address() + MAX_BYTES - stream.length;
        Memory.copy(stream, 0, from, stream.length);
        long to = results.address() + MAX_BYTES - bytes;
        windows.clear();
        windows.add(from, stream.length, to, 0, 0, bytes, 0, 0);
        if (i % 2 == 0) { // the walks of two blocks alternate
          long otherFrom = otherStream.address() + MAX_BYTES - sound.length;
          long otherTo = otherResult.address() + MAX_BYTES - bytes;
          windows.add(otherFrom, sound.length, otherTo, 0, 0, bytes, 0, 0);
        }
        refused += check(decoder, windows, stream, bytes, to) ? 0 : 1;
      }
    }
    System.out.println(refused + " of " + CASES + " damaged blocks refused");
  }

  /** Returns whether the block was sound all the same. */
  private boolean check(
      SnappyDecoder decoder, StreamWindows windows, byte[] stream, int bytes, long place) {
    ReferenceSnappy reference = ReferenceSnappy.decode(stream, bytes);
    try {
      decoder.decompress(windows);
    } catch (ParquetPageException e) {
      assertEquals(0, e.window(), () -> "seed " + seed());
      assertEquals(reference.code(), e.code(), () -> "seed " + seed());
      assertEquals(reference.offset(), e.byteOffset(), () -> "seed " + seed());
      return false;
    }
    byte[] result = new byte[bytes];
    Memory.copy(place, result, 0, bytes);
    assertEquals(0, reference.code(), () -> "seed " + seed());
    assertArrayEquals(reference.result(), result, () -> "seed " + seed());
    return true;
  }
}
