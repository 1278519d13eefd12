package io.ariadne.parquet.prune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TestRowRanges {
  private static RowRanges of(BitSet rows) {
    RowRanges.Builder builder = new RowRanges.Builder();
    for (int row = rows.nextSetBit(0); row >= 0; row = rows.nextSetBit(row + 1)) {
      builder.add(row, row + 1);
    }
    return builder.build();
  }

  @Test
  void setOperationsAgreeWithBitSets() {
    Random random = new Random(3);
    for (int i = 0; i < 2_000; i++) {
      BitSet left = random(random);
      BitSet right = random(random);
      BitSet both = (BitSet) left.clone();
      both.and(right);
      BitSet either = (BitSet) left.clone();
      either.or(right);
      assertEquals(of(both), of(left).intersect(of(right)));
      assertEquals(of(either), of(left).union(of(right)));
      assertEquals(left.cardinality(), of(left).rowCount());
      assertEquals(left.isEmpty(), of(left).isEmpty());
      int from = random.nextInt(45);
      int to = from + random.nextInt(5);
      assertEquals(
          !left.get(from, to).isEmpty(), of(left).overlaps(from, to), left + " " + from + " " + to);
    }
  }

  private static BitSet random(Random random) {
    BitSet rows = new BitSet();
    int count = random.nextInt(30);
    for (int i = 0; i < count; i++) {
      rows.set(random.nextInt(40));
    }
    return rows;
  }

  @Test
  void mergesAdjacentRanges() {
    RowRanges ranges = new RowRanges.Builder().add(0, 5).add(5, 7).add(9, 9).add(10, 12).build();
    assertEquals("[0..7, 10..12]", ranges.toString());
    assertEquals(2, ranges.rangeCount());
    assertEquals(10, ranges.from(1));
    assertEquals(12, ranges.to(1));
    assertTrue(RowRanges.all(0).isEmpty());
    assertEquals(9, RowRanges.all(9).rowCount());
  }
}
