package io.ariadne.replay;

import io.ariadne.kernel.abi.UnpackU32ArgsLayout;
import io.ariadne.kernel.abi.UnpackU64ArgsLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Bit-unpacking of every kind of width: narrow, byte-sized, odd, wide. */
final class UnpackCases {

  private static final int ROWS = 1 << 18;
  private static final int BLOCK = 256;
  private static final int ROWS_PER_BLOCK = BLOCK * 8;

  private UnpackCases() {}

  static List<ReplayCase> all(Random random) {
    List<ReplayCase> cases = new ArrayList<>();
    for (int width : new int[] {0, 1, 5, 8, 13, 20, 32}) {
      cases.add(narrow(width, ROWS, random));
    }
    cases.add(narrow(7, 33, random));
    for (int width : new int[] {9, 33, 50, 64}) {
      cases.add(wide(width, ROWS, random));
    }
    return cases;
  }

  private static ReplayCase narrow(int width, int rows, Random random) {
    ReplayCase unpack = new ReplayCase("unpack " + width + " bits to u32, " + rows, "unpack_u32");
    byte[] packed = bytes(width, rows, random);
    int in = unpack.add("packed", packed);
    int out = unpack.zeroed("out", rows * Integer.BYTES);
    unpack.buffer(in).scaling();
    unpack.buffer(out).scaling().expectBytes(0, rows * Integer.BYTES);
    unpack
        .launch(grid(rows), BLOCK, 0, UnpackU32ArgsLayout.SIZE_IN_BYTES)
        .pointer(UnpackU32ArgsLayout.PACKED_OFFSET, in)
        .putLong(UnpackU32ArgsLayout.PACKED_BYTES_OFFSET, packed.length)
        .pointer(UnpackU32ArgsLayout.OUT_OFFSET, out)
        .putInt(UnpackU32ArgsLayout.COUNT_OFFSET, rows)
        .putInt(UnpackU32ArgsLayout.WIDTH_OFFSET, width);
    return rows < ROWS || width == 0
        ? unpack
        : unpack.measured(
            rows,
            packed.length + (long) rows * Integer.BYTES,
            UnpackU32ArgsLayout.COUNT_OFFSET,
            UnpackU32ArgsLayout.PACKED_BYTES_OFFSET);
  }

  private static ReplayCase wide(int width, int rows, Random random) {
    ReplayCase unpack = new ReplayCase("unpack " + width + " bits to u64, " + rows, "unpack_u64");
    byte[] packed = bytes(width, rows, random);
    int in = unpack.add("packed", packed);
    int out = unpack.zeroed("out", rows * Long.BYTES);
    unpack.buffer(in).scaling();
    unpack.buffer(out).scaling().expectBytes(0, rows * Long.BYTES);
    unpack
        .launch(grid(rows), BLOCK, 0, UnpackU64ArgsLayout.SIZE_IN_BYTES)
        .pointer(UnpackU64ArgsLayout.PACKED_OFFSET, in)
        .putLong(UnpackU64ArgsLayout.PACKED_BYTES_OFFSET, packed.length)
        .pointer(UnpackU64ArgsLayout.OUT_OFFSET, out)
        .putInt(UnpackU64ArgsLayout.COUNT_OFFSET, rows)
        .putInt(UnpackU64ArgsLayout.WIDTH_OFFSET, width);
    return unpack.measured(
        rows,
        packed.length + (long) rows * Long.BYTES,
        UnpackU64ArgsLayout.COUNT_OFFSET,
        UnpackU64ArgsLayout.PACKED_BYTES_OFFSET);
  }

  private static byte[] bytes(int width, int rows, Random random) {
    byte[] packed = new byte[(int) (((long) width * rows + 7) / 8)];
    random.nextBytes(packed);
    return packed;
  }

  private static int grid(int rows) {
    return Math.max(1, (rows + ROWS_PER_BLOCK - 1) / ROWS_PER_BLOCK);
  }
}
