package io.ariadne.replay;

import io.ariadne.kernel.abi.ColumnKind;
import io.ariadne.kernel.abi.TileLimit;
import io.ariadne.kernel.abi.TileOpcode;
import java.util.List;
import java.util.Random;

/** Tile programs: the shapes of TPC-H Q6 and Q1, a projection, a filter with compaction. */
final class TileCases {

  private static final int ROWS = 1 << 18;
  private static final int NONE = TileLimit.TILE_NO_REGISTER;
  private static final int GROUPS = 6;

  private TileCases() {}

  static List<ReplayCase> all(Random random) {
    return List.of(
        forecast(ROWS, random),
        forecast(1025, random),
        pricing(ROWS, random),
        projection(ROWS, random),
        compaction(ROWS, random),
        compaction(1023, random));
  }

  /** Q6: four comparisons, one product, one sum of exact decimals, one count. */
  private static ReplayCase forecast(int rows, Random random) {
    return new TileCase("tile program, Q6", rows)
        .input(ColumnKind.I32, ColumnBytes.ints(rows, i -> 8035 + random.nextInt(2557)))
        .input(ColumnKind.I64, ColumnBytes.longs(rows, i -> random.nextInt(11)))
        .input(ColumnKind.I64, ColumnBytes.longs(rows, i -> 100L * (1 + random.nextInt(50))))
        .input(ColumnKind.I64, ColumnBytes.longs(rows, i -> 90_000 + random.nextInt(10_400_000)))
        .accumulators(1, 3, 48)
        .registers(4, 2)
        .op(TileOpcode.LOAD_I32, 0, 0, 0)
        .constant(TileOpcode.GE_I64, 0, 0, 8766)
        .constant(TileOpcode.LT_I64, 1, 0, 9131)
        .op(TileOpcode.MASK_AND, 0, 0, 1)
        .op(TileOpcode.LOAD_I64, 1, 1, 0)
        .constant(TileOpcode.GE_I64, 1, 1, 5)
        .op(TileOpcode.MASK_AND, 0, 0, 1)
        .constant(TileOpcode.LE_I64, 1, 1, 7)
        .op(TileOpcode.MASK_AND, 0, 0, 1)
        .op(TileOpcode.LOAD_I64, 2, 2, 0)
        .constant(TileOpcode.LT_I64, 1, 2, 2400)
        .op(TileOpcode.MASK_AND, 0, 0, 1)
        .op(TileOpcode.FILTER, 0, 0, 0)
        .op(TileOpcode.LOAD_I64, 3, 3, 0)
        .op(TileOpcode.MUL_I64, 3, 3, 1)
        .aggregate(TileOpcode.AGG_SUM_I64, 3, NONE, 16, 0)
        .aggregate(TileOpcode.AGG_COUNT, 0, NONE, 8, 32)
        .expectAccumulator(0, 16)
        .expectAccumulator(32, 8)
        .build();
  }

  /** Q1: a filter, two products, four sums and a count per group. */
  private static ReplayCase pricing(int rows, Random random) {
    int sums = 16 * (GROUPS + 1);
    TileCase program =
        new TileCase("tile program, Q1", rows)
            .input(ColumnKind.I32, ColumnBytes.ints(rows, i -> 8035 + random.nextInt(2557)))
            .input(ColumnKind.I32, ColumnBytes.ints(rows, i -> random.nextInt(GROUPS)))
            .input(ColumnKind.I64, ColumnBytes.longs(rows, i -> 100L * (1 + random.nextInt(50))))
            .input(ColumnKind.I64, ColumnBytes.longs(rows, i -> random.nextInt(10_500_000)))
            .input(ColumnKind.I64, ColumnBytes.longs(rows, i -> random.nextInt(11)))
            .input(ColumnKind.I64, ColumnBytes.longs(rows, i -> random.nextInt(9)))
            .accumulators(GROUPS, 9, 4 * sums + 64)
            .registers(6, 1)
            .op(TileOpcode.LOAD_I32, 0, 0, 0)
            .constant(TileOpcode.LE_I64, 0, 0, 10471)
            .op(TileOpcode.FILTER, 0, 0, 0)
            .op(TileOpcode.LOAD_I32, 0, 1, 0)
            .op(TileOpcode.LOAD_I64, 1, 2, 0)
            .op(TileOpcode.LOAD_I64, 2, 3, 0)
            .op(TileOpcode.LOAD_I64, 3, 4, 0)
            .op(TileOpcode.NEG_I64, 3, 3, 0)
            .constant(TileOpcode.ADD_I64, 3, 3, 100)
            .op(TileOpcode.MUL_I64, 3, 2, 3)
            .op(TileOpcode.LOAD_I64, 4, 5, 0)
            .constant(TileOpcode.ADD_I64, 4, 4, 100)
            .op(TileOpcode.MUL_I64, 4, 3, 4);
    for (int i = 0; i < 4; i++) {
      program.aggregate(TileOpcode.AGG_SUM_I64, 1 + i, 0, 16, i * sums);
      program.expectAccumulator(i * sums, 16 * GROUPS);
    }
    return program
        .aggregate(TileOpcode.AGG_COUNT, 0, 0, 8, 4 * sums)
        .expectAccumulator(4 * sums, 8 * GROUPS)
        .build();
  }

  /** A projection of nullable integers and of doubles, without a filter. */
  private static ReplayCase projection(int rows, Random random) {
    return new TileCase("tile program, projection", rows)
        .input(
            ColumnKind.I64,
            ColumnBytes.longs(rows, i -> random.nextLong()),
            ColumnBytes.validity(rows, random))
        .input(ColumnKind.I32, ColumnBytes.ints(rows, i -> random.nextInt()))
        .input(
            ColumnKind.F64,
            ColumnBytes.longs(rows, i -> Double.doubleToRawLongBits(random.nextGaussian())))
        .output(Long.BYTES)
        .output(Double.BYTES)
        .registers(3, 1)
        .op(TileOpcode.LOAD_I64, 0, 0, 0)
        .op(TileOpcode.LOAD_VALIDITY, 0, 0, 0)
        .op(TileOpcode.LOAD_I32, 1, 1, 0)
        .op(TileOpcode.ADD_I64, 0, 0, 1)
        .op(TileOpcode.LOAD_F64, 2, 2, 0)
        .op(TileOpcode.MUL_F64, 2, 2, 2)
        .op(TileOpcode.STORE_I64, 0, 0, 0)
        .op(TileOpcode.STORE_VALIDITY, 0, 0, 0)
        .op(TileOpcode.STORE_F64, 1, 2, 0)
        .build();
  }

  /** A filter that keeps a third of the rows, compacted. */
  private static ReplayCase compaction(int rows, Random random) {
    return new TileCase("tile program, compaction", rows)
        .input(
            ColumnKind.I64,
            ColumnBytes.longs(rows, i -> random.nextLong()),
            ColumnBytes.validity(rows, random))
        .input(ColumnKind.I32, ColumnBytes.ints(rows, i -> random.nextInt(3)))
        .output(Long.BYTES)
        .output(Integer.BYTES)
        .registers(2, 2)
        .op(TileOpcode.LOAD_I32, 1, 1, 0)
        .constant(TileOpcode.EQ_I64, 0, 1, 1)
        .op(TileOpcode.FILTER, 0, 0, 0)
        .op(TileOpcode.LOAD_I64, 0, 0, 0)
        .op(TileOpcode.LOAD_VALIDITY, 1, 0, 0)
        .op(TileOpcode.STORE_I64, 0, 0, 0)
        .op(TileOpcode.STORE_VALIDITY, 0, 1, 0)
        .op(TileOpcode.STORE_I32, 1, 1, 0)
        .build();
  }
}
