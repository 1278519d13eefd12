package io.ariadne.io.gds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.io.ByteRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TestReadPlan {
  private static final long BASE = 1 << 30;
  private static final int THRESHOLD = 16 << 10;
  private static final int PIECE = 1 << 20;

  private static MemoryBuffer buffer(long bytes) {
    return new MemoryBuffer(BASE, bytes, bytes, MemoryTier.DEVICE, buffer -> {});
  }

  private static long misalignment(ByteRange range) {
    long address = range.target().address() + range.targetOffset();
    return (range.position() | address | range.length()) % ReadPlan.ALIGNMENT;
  }

  @Test
  void piecesCoverEachRangeOnce() {
    Random random = new Random(DeviceUnderTest.SEED);
    for (int i = 0; i < 500; i++) {
      String message = "case " + i + ", seed " + DeviceUnderTest.SEED;
      int length = 1 + random.nextInt(i % 2 == 0 ? 5_000_000 : 60_000);
      long position = random.nextInt(100_000);
      int offset = (int) (i % 3 == 0 ? position % ReadPlan.ALIGNMENT : random.nextInt(10_000));
      ByteRange range = new ByteRange(position, buffer(length + offset), offset, length);
      ReadPlan plan = ReadPlan.direct(List.of(range), THRESHOLD, PIECE);
      List<ByteRange> all = new ArrayList<>(plan.direct());
      all.addAll(plan.staged());
      all.sort(Comparator.comparingLong(ByteRange::position));
      long next = position;
      for (ByteRange piece : all) {
        assertEquals(next, piece.position(), message);
        assertEquals(offset + next - position, piece.targetOffset(), message);
        assertTrue(piece.length() > 0, message);
        next += piece.length();
      }
      assertEquals(position + length, next, message);
      for (ByteRange piece : plan.direct()) {
        assertTrue(piece.length() <= PIECE, message);
        assertTrue(i % 3 != 0 || misalignment(piece) == 0, message);
      }
    }
  }

  @Test
  void shortRangesAreStagedWhole() {
    ByteRange range = new ByteRange(100, buffer(THRESHOLD), 0, THRESHOLD - 1);
    assertEquals(List.of(range), ReadPlan.direct(List.of(range), THRESHOLD, PIECE).staged());
    // Without its unaligned ends too little is left.
    ByteRange aligned = new ByteRange(4095, buffer(2 * THRESHOLD), 4095, THRESHOLD);
    assertEquals(List.of(aligned), ReadPlan.direct(List.of(aligned), THRESHOLD, PIECE).staged());
  }

  @Test
  void rangesThatCannotBeAlignedAreDirectWhole() {
    ByteRange range = new ByteRange(100, buffer(PIECE), 0, PIECE);
    ReadPlan plan = ReadPlan.direct(List.of(range), THRESHOLD, PIECE);
    assertEquals(List.of(), plan.staged());
    assertEquals(PIECE - 100, plan.direct().get(0).length(), "ends at a multiple in the file");
  }
}
