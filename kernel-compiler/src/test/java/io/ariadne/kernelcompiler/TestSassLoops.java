package io.ariadne.kernelcompiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Branches as the assembler encodes them; words as read off its machine code. */
class TestSassLoops {
  private static final long[] OTHER = {0x7a02, 0xfe400000f00L};
  private static final long[] EXIT = {0x794dL, 0x000fea0003800000L};
  private static final long[] SELF_80 = {0xfffffff000007947L, 0x000fc0000383ffffL};
  private static final long[] SELF_90 = {0xfffffffc00fc7947L, 0x000fc0000383ffffL};

  /** Four instructions back, under predicate 0. */
  private static final long[] BACK_80 = {0xffffffc000000947L, 0x000fea000383ffffL};

  private static final long[] BACK_90 = {0xfffffffc00f00947L, 0x000fea000383ffffL};

  /** To the instruction after the next, always. */
  private static final long[] OVER_80 = {0x0000001000007947L, 0x000fea0003800000L};

  /** The same for lanes that have diverged. */
  private static final long[] DIVERGED_80 = {0x000000127f007947L, 0x000fea000b800000L};

  private static byte[] code(long[]... instructions) {
    ByteBuffer bytes =
        ByteBuffer.allocate(instructions.length * SassLoops.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (long[] instruction : instructions) {
      bytes.putLong(instruction[0]).putLong(instruction[1]);
    }
    return bytes.array();
  }

  @Test
  void countsTheBodyOfALoop() {
    byte[] older = code(OTHER, OTHER, OTHER, OTHER, BACK_80, EXIT, SELF_80);
    assertEquals(4, SassLoops.instructionsInLoops(older, 80));
    byte[] newer = code(OTHER, OTHER, OTHER, OTHER, BACK_90, EXIT, SELF_90);
    assertEquals(4, SassLoops.instructionsInLoops(newer, 90));
  }

  @Test
  void straightCodeHasNone() {
    assertEquals(0, SassLoops.instructionsInLoops(code(OTHER, OTHER, EXIT, SELF_80), 86));
  }

  @Test
  void codeThatABranchSkipsIsNotOfTheLoop() {
    byte[] skipping = code(OTHER, OTHER, OVER_80, OTHER, BACK_80, EXIT, SELF_80);
    assertEquals(3, SassLoops.instructionsInLoops(skipping, 80));
    byte[] mayStay = code(OTHER, OTHER, DIVERGED_80, OTHER, BACK_80, EXIT, SELF_80);
    assertEquals(4, SassLoops.instructionsInLoops(mayStay, 80));
  }

  @Test
  void refusesABranchOutOfTheKernel() {
    assertThrows(
        KernelBuildException.class,
        () -> SassLoops.instructionsInLoops(code(OTHER, BACK_80, EXIT), 80));
  }
}
