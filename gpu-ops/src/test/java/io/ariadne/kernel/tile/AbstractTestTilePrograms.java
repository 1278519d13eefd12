package io.ariadne.kernel.tile;

import static io.ariadne.kernel.tile.TileCode.code;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.KernelError;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.abi.TileError;
import io.ariadne.kernel.abi.TileOpcode;
import io.ariadne.kernel.testing.AbstractTestKernels;
import io.ariadne.kernel.testing.KernelTestTarget;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

/** Loads, masks, the filter, errors and stores of tile programs, against plain Java. */
abstract class AbstractTestTilePrograms extends AbstractTestKernels {
  private static final int[] SIZES = {0, 1, 31, 32, 33, 511, 513, 1023, 1025, 2047, 2049, 5000};
  private static final double[] SELECTIVITIES = {0, 0.02, 0.5, 0.97, 1};

  private final TileValues values = new TileValues(random);

  AbstractTestTilePrograms(KernelTestTarget target) {
    super(target);
  }

  private TileRun newRun(int rows) {
    return new TileRun(backend(), allocator(), rows);
  }

  @Test
  void loadsEveryKind() {
    for (int rows : SIZES) {
      long[] a = values.longs(rows);
      boolean[] bits = values.bits(rows, 0.5);
      boolean[] valid = values.bits(rows, 0.7);
      try (TileRun run = newRun(rows)) {
        MemoryBuffer bytes = run.buffer(rows);
        MemoryBuffer shorts = run.buffer(2L * rows);
        MemoryBuffer floats = run.buffer(4L * rows);
        for (int i = 0; i < rows; i++) {
          bytes.putByte(i, (byte) a[i]);
          shorts.putShort(2L * i, (short) a[i]);
          floats.putFloat(4L * i, (float) a[i]);
        }
        run.add(code(TileOpcode.LOAD_I8).dst(0).a(run.input(bytes, valid)));
        run.add(code(TileOpcode.LOAD_I16).dst(1).a(run.input(shorts, null)));
        run.add(code(TileOpcode.LOAD_I32).dst(2).a(run.ints(a, null)));
        run.add(code(TileOpcode.LOAD_F32).dst(3).a(run.input(floats, null)));
        run.add(code(TileOpcode.LOAD_BOOL).dst(0).a(run.input(run.bits(bits), null)));
        run.add(code(TileOpcode.LOAD_VALIDITY).dst(1).a(0));
        run.add(code(TileOpcode.LOAD_VALIDITY).dst(2).a(1));
        for (int register = 0; register < 3; register++) {
          int output = run.output(PhysicalType.I64);
          run.add(code(TileOpcode.STORE_I64).dst(output).a(register));
        }
        run.add(code(TileOpcode.STORE_F64).dst(run.output(PhysicalType.F64)).a(3));
        for (int register = 0; register < 3; register++) {
          int output = run.output(PhysicalType.BOOL);
          run.add(code(TileOpcode.STORE_BOOL).dst(output).a(register));
        }
        assertNull(run.run());
        assertEquals(rows, run.rowsOut());
        for (int i = 0; i < rows; i++) {
          assertEquals((byte) a[i], run.longAt(0, i));
          assertEquals((short) a[i], run.longAt(1, i));
          assertEquals((int) a[i], run.longAt(2, i));
          assertEquals(Double.doubleToLongBits((float) a[i]), run.longAt(3, i));
          assertEquals(bits[i], run.bitAt(4, i));
          assertEquals(valid[i], run.bitAt(5, i));
          assertTrue(run.bitAt(6, i));
        }
      }
    }
  }

  @Test
  void computesMasksAndSelection() {
    for (int rows : SIZES) {
      long[] a = values.longs(rows);
      boolean[] x = values.bits(rows, 0.5);
      boolean[] y = values.bits(rows, 0.5);
      boolean[] z = values.bits(rows, 0.5);
      try (TileRun run = newRun(rows)) {
        run.add(code(TileOpcode.LOAD_I64).dst(0).a(run.longs(a, null)));
        run.add(code(TileOpcode.LOAD_BOOL).dst(0).a(run.input(run.bits(x), null)));
        run.add(code(TileOpcode.LOAD_BOOL).dst(1).a(run.input(run.bits(y), null)));
        run.add(code(TileOpcode.LOAD_BOOL).dst(2).a(run.input(run.bits(z), null)));
        run.add(code(TileOpcode.MASK_AND).dst(3).a(0).b(1));
        run.add(code(TileOpcode.MASK_OR).dst(4).a(0).b(1));
        run.add(code(TileOpcode.MASK_XOR).dst(5).a(0).b(1));
        run.add(code(TileOpcode.MASK_ANDNOT).dst(6).a(0).b(1));
        run.add(code(TileOpcode.MASK_NOT).dst(7).a(0));
        run.add(code(TileOpcode.MASK_SELECT).dst(8).a(0).b(1).mask(2));
        run.add(code(TileOpcode.CONST_MASK).dst(9).imm(1));
        run.add(code(TileOpcode.CONST_MASK).dst(10).imm(0));
        run.add(code(TileOpcode.MASK_TO_I64).dst(1).a(0));
        run.add(code(TileOpcode.CONST_I64).dst(2).imm(-5));
        run.add(code(TileOpcode.SELECT).dst(3).a(0).b(1).mask(1));
        run.add(code(TileOpcode.SELECT).dst(4).a(0).mask(2).constantB(77));
        for (int register = 3; register <= 10; register++) {
          int output = run.output(PhysicalType.BOOL);
          run.add(code(TileOpcode.STORE_BOOL).dst(output).a(register));
        }
        for (int register = 1; register <= 4; register++) {
          int output = run.output(PhysicalType.I64);
          run.add(code(TileOpcode.STORE_I64).dst(output).a(register));
        }
        assertNull(run.run());
        for (int i = 0; i < rows; i++) {
          boolean[] expected = {
            x[i] & y[i],
            x[i] | y[i],
            x[i] ^ y[i],
            x[i] & !y[i],
            !x[i],
            z[i] ? x[i] : y[i],
            true,
            false
          };
          for (int k = 0; k < expected.length; k++) {
            assertEquals(expected[k], run.bitAt(k, i), "mask " + k + " row " + i);
          }
          long bit = x[i] ? 1 : 0;
          assertEquals(bit, run.longAt(8, i));
          assertEquals(-5, run.longAt(9, i));
          assertEquals(y[i] ? a[i] : bit, run.longAt(10, i));
          assertEquals(z[i] ? a[i] : 77, run.longAt(11, i));
        }
      }
    }
  }

  @Test
  void filterCompactsEveryKind() {
    for (double selectivity : SELECTIVITIES) {
      for (int rows : SIZES) {
        checkFilter(rows, selectivity, anyBlock());
      }
    }
  }

  @Test
  void filtersManyRowsWithinTheWorkBudget() {
    checkFilter(MANY, 0.5, 0);
    checkWork("tile_program filter");
    checkFilter(MANY, 1, 0);
    checkWork("tile_program filter");
  }

  private int anyBlock() {
    return new int[] {0, 32, 64, 96, 128}[random.nextInt(5)];
  }

  private void checkFilter(int rows, double selectivity, int block) {
    long[] a = values.doubles(rows);
    BigInteger[] wides = values.wides(rows);
    boolean[] kept = values.bits(rows, selectivity);
    boolean[] valid = values.bits(rows, 0.8);
    try (TileRun run = newRun(rows)) {
      if (block != 0) {
        run.blockSize(block);
      }
      run.add(code(TileOpcode.LOAD_BOOL).dst(0).a(run.input(run.bits(kept), null)));
      run.add(code(TileOpcode.FILTER).a(0));
      int longs = run.longs(a, valid);
      run.add(code(TileOpcode.LOAD_I64).dst(0).a(longs));
      run.add(code(TileOpcode.LOAD_VALIDITY).dst(1).a(longs));
      run.add(code(TileOpcode.LOAD_I128).dst(1).a(run.wides(wides, null)));
      run.add(code(TileOpcode.STORE_I8).dst(run.output(PhysicalType.I8)).a(0));
      run.add(code(TileOpcode.STORE_I16).dst(run.output(PhysicalType.I16)).a(0));
      run.add(code(TileOpcode.STORE_I32).dst(run.output(PhysicalType.I32)).a(0));
      run.add(code(TileOpcode.STORE_I64).dst(run.output(PhysicalType.I64)).a(0));
      run.add(code(TileOpcode.STORE_VALIDITY).dst(3).a(1));
      run.add(code(TileOpcode.STORE_I128).dst(run.output(PhysicalType.I128)).a(1));
      run.add(code(TileOpcode.STORE_F32).dst(run.output(PhysicalType.F32)).a(0));
      run.add(code(TileOpcode.STORE_F64).dst(run.output(PhysicalType.F64)).a(0));
      run.add(code(TileOpcode.STORE_BOOL).dst(run.output(PhysicalType.BOOL)).a(1));
      assertNull(run.run());
      int at = 0;
      for (int i = 0; i < rows; i++) {
        if (kept[i]) {
          checkRow(run, at++, a[i], wides[i], valid[i]);
        }
      }
      assertEquals(at, run.rowsOut(), "rows out of " + rows + " at " + selectivity);
      for (int i = at; i < rows; i++) {
        assertTrue(!run.bitAt(7, i) && !run.isValid(3, i), "bits after the last row stay 0");
      }
    }
  }

  private void checkRow(TileRun run, int at, long a, BigInteger wide, boolean valid) {
    double value = Double.longBitsToDouble(a);
    String message = "row out " + at + " seed " + seed();
    assertEquals((byte) a, run.data(0).getByte(at), message);
    assertEquals((short) a, run.data(1).getShort(2L * at), message);
    assertEquals((int) a, run.data(2).getInt(4L * at), message);
    assertEquals(a, run.longAt(3, at), message);
    assertEquals(wide, run.wideAt(4, at), message);
    assertEquals(Float.floatToIntBits((float) value), run.data(5).getInt(4L * at), message);
    assertEquals(Double.doubleToLongBits(value), run.longAt(6, at), message);
    assertEquals(valid, run.bitAt(7, at), message);
    assertEquals(valid, run.isValid(3, at), message);
  }

  @Test
  void raisesTheFirstFailingRow() {
    for (int rows : new int[] {1, 33, 1025, 5000}) {
      boolean[] failed = values.bits(rows, 0.01);
      boolean[] live = values.bits(rows, 0.5);
      boolean[] kept = values.bits(rows, 0.5);
      int first = -1;
      int firstKept = -1;
      for (int i = rows - 1; i >= 0; i--) {
        first = failed[i] && live[i] ? i : first;
        firstKept = failed[i] && live[i] && kept[i] ? i : firstKept;
      }
      assertEquals(expectedError(first), raise(rows, failed, live, null));
      assertEquals(expectedError(firstKept), raise(rows, failed, live, kept));
    }
  }

  private static KernelError expectedError(int row) {
    return row < 0 ? null : new KernelError(1000L + row, 513, 7);
  }

  private KernelError raise(int rows, boolean[] failed, boolean[] live, boolean[] kept) {
    try (TileRun run = newRun(rows)) {
      run.rowBase(1000);
      run.add(code(TileOpcode.LOAD_BOOL).dst(0).a(run.input(run.bits(failed), null)));
      run.add(code(TileOpcode.LOAD_BOOL).dst(1).a(run.input(run.bits(live), null)));
      if (kept != null) {
        run.add(code(TileOpcode.LOAD_BOOL).dst(2).a(run.input(run.bits(kept), null)));
        run.add(code(TileOpcode.FILTER).a(2));
      }
      run.add(code(TileOpcode.RAISE).a(0).mask(1).aux(513).imm(7));
      return run.run();
    }
  }

  @Test
  void reportsTheWorkspaceItNeeds() {
    try (TileRun run = newRun(1500)) {
      run.workspaceBytes(8);
      run.add(code(TileOpcode.CONST_MASK).dst(0).imm(1));
      run.add(code(TileOpcode.FILTER).a(0));
      run.add(code(TileOpcode.STORE_BOOL).dst(run.output(PhysicalType.BOOL)).a(0));
      assertNull(run.run());
      assertTrue(run.needed() > 8, "needed " + run.needed());
      assertEquals(0, run.rowsOut());
    }
  }

  @Test
  void refusesAggregatesBeforeOtherInstructions() {
    try (TileRun run = newRun(100)) {
      run.accumulators(64, 1, 0);
      run.add(code(TileOpcode.AGG_COUNT).b(TileInstruction.NO_REGISTER).aux(8));
      run.add(code(TileOpcode.CONST_MASK).dst(0).imm(1));
      KernelError error = run.run();
      assertEquals(TileError.TILE_ERROR_INVALID_PROGRAM, error.code());
    }
  }

  @Test
  void projectsManyRowsWithinTheWorkBudget() {
    long[] a = values.longs(MANY);
    long[] b = values.longs(MANY);
    try (TileRun run = newRun(MANY)) {
      run.add(code(TileOpcode.LOAD_I64).dst(0).a(run.longs(a, null)));
      run.add(code(TileOpcode.LOAD_I64).dst(1).a(run.longs(b, null)));
      run.add(code(TileOpcode.MUL_I64).dst(1).a(0).b(1));
      run.add(code(TileOpcode.SUB_I64).dst(1).a(1).constantB(9));
      run.add(code(TileOpcode.STORE_I64).dst(run.output(PhysicalType.I64)).a(1));
      assertNull(run.run());
      checkWork("tile_program project");
      for (int i = 0; i < MANY; i++) {
        if (run.longAt(0, i) != a[i] * b[i] - 9) {
          assertEquals(a[i] * b[i] - 9, run.longAt(0, i), "row " + i);
        }
      }
    }
  }
}
