package io.ariadne.spill.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TestFreeSpace {
  @Test
  void refusesToFreeTwice() {
    FreeSpace space = new FreeSpace(100);
    assertEquals(0, space.allocate(40));
    assertEquals(40, space.allocate(60));
    assertEquals(-1, space.allocate(1));
    space.free(10, 20);
    assertThrows(IllegalStateException.class, () -> space.free(10, 20));
    assertThrows(IllegalStateException.class, () -> space.free(5, 10));
    assertThrows(IllegalStateException.class, () -> space.free(25, 10));
    assertThrows(IllegalStateException.class, () -> space.free(90, 11));
    assertFalse(space.isAllFree());
    assertEquals(10, space.allocate(20));
  }

  /** Against a bit per byte. */
  @Test
  void agreesWithAModelOnRandomSteps() {
    long seed = Long.getLong("ariadne.test.seed", 1L);
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      int size = 1 + random.nextInt(64);
      boolean[] taken = new boolean[size];
      FreeSpace space = new FreeSpace(size);
      List<long[]> ranges = new ArrayList<>();
      for (int step = 0; step < 100; step++) {
        if (ranges.isEmpty() || random.nextBoolean()) {
          int length = 1 + random.nextInt(8);
          long offset = space.allocate(length);
          if (offset >= 0) {
            set(taken, offset, length, true);
            ranges.add(new long[] {offset, length});
          } else {
            assertFalse(hasRoom(taken, length), "seed " + seed);
          }
        } else {
          long[] range = ranges.remove(random.nextInt(ranges.size()));
          set(taken, range[0], range[1], false);
          space.free(range[0], range[1]);
        }
        assertEquals(ranges.isEmpty(), space.isAllFree());
      }
    }
  }

  private static void set(boolean[] taken, long offset, long length, boolean value) {
    for (long i = offset; i < offset + length; i++) {
      assertTrue(taken[(int) i] != value);
      taken[(int) i] = value;
    }
  }

  private static boolean hasRoom(boolean[] taken, int length) {
    int run = 0;
    for (boolean each : taken) {
      run = each ? 0 : run + 1;
      if (run == length) {
        return true;
      }
    }
    return false;
  }
}
