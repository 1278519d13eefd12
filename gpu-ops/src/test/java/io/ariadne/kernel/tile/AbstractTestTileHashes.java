package io.ariadne.kernel.tile;

import static io.ariadne.kernel.tile.TileCode.code;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.abi.TileOpcode;
import io.ariadne.kernel.testing.AbstractTestKernels;
import io.ariadne.kernel.testing.KernelTestTarget;
import io.ariadne.kernel.testing.SparkHashes;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Hashes of strings and long decimals against plain Java. */
abstract class AbstractTestTileHashes extends AbstractTestKernels {
  private static final int[] SIZES = {0, 1, 31, 32, 33, 1023, 1025};
  private static final int INLINE = 12;

  private final TileValues values = new TileValues(random);

  AbstractTestTileHashes(KernelTestTarget target) {
    super(target);
  }

  /** A hash of bytes and of a decimal, as kernels give it. */
  private interface Reference {
    long hash(byte[] bytes, long seed);
  }

  private static final Reference MURMUR3 = (bytes, seed) -> SparkHashes.murmur3(bytes, (int) seed);
  private static final Reference XXHASH64 = SparkHashes::xxhash64;

  /** What Spark's own tests say of {@code hash('Spark', array(123), 2)} and {@code xxhash64}. */
  @Test
  void referenceEqualsSparksExamples() {
    byte[] spark = "Spark".getBytes(StandardCharsets.UTF_8);
    int murmur = SparkHashes.murmur3(123, SparkHashes.murmur3(spark, 42));
    assertEquals(-1321691492, SparkHashes.murmur3(2, murmur));
    long xx = SparkHashes.xxhash64(123, SparkHashes.xxhash64(spark, 42));
    assertEquals(5602566077635097486L, SparkHashes.xxhash64(2, xx));
  }

  @Test
  void hashesStringsOfAllLengths() {
    for (int rows : SIZES) {
      checkStrings(TileOpcode.MURMUR3_VIEW, MURMUR3, rows, 70);
      checkStrings(TileOpcode.XXHASH64_VIEW, XXHASH64, rows, 70);
    }
    checkStrings(TileOpcode.MURMUR3_VIEW, MURMUR3, 1025, INLINE);
    checkStrings(TileOpcode.XXHASH64_VIEW, XXHASH64, 65, 3000);
  }

  @Test
  void hashesManyStringsWithinTheWorkBudget() {
    checkStrings(TileOpcode.MURMUR3_VIEW, MURMUR3, MANY, 40);
    checkWork("tile_program hash of strings");
  }

  private void checkStrings(TileOpcode opcode, Reference reference, int rows, int maxLength) {
    byte[][] strings = strings(rows, maxLength);
    long[] seeds = values.longs(rows);
    long constant = values.longs(1)[0];
    try (TileRun run = new TileRun(backend(), allocator(), rows)) {
      int views = run.views(strings, random);
      run.add(code(TileOpcode.LOAD_I128).dst(0).a(views));
      run.add(code(TileOpcode.LOAD_I64).dst(2).a(run.longs(seeds, null)));
      run.add(code(opcode).dst(3).a(0).b(2).aux(views));
      run.add(code(TileOpcode.STORE_I64).dst(run.output(PhysicalType.I64)).a(3));
      run.add(code(opcode).dst(3).a(0).constantB(constant).aux(views));
      run.add(code(TileOpcode.STORE_I64).dst(run.output(PhysicalType.I64)).a(3));
      assertNull(run.run());
      for (int i = 0; i < rows; i++) {
        String what = opcode + " " + HexFormat.of().formatHex(strings[i]) + " seed " + seed();
        assertEquals(reference.hash(strings[i], seeds[i]), run.longAt(0, i), what);
        assertEquals(reference.hash(strings[i], constant), run.longAt(1, i), what);
      }
    }
  }

  private byte[][] strings(int count, int maxLength) {
    byte[][] strings = new byte[count][];
    for (int i = 0; i < count; i++) {
      strings[i] = new byte[random.nextInt(maxLength + 1)];
      random.nextBytes(strings[i]);
    }
    return strings;
  }

  @Test
  void hashesConstantStrings() {
    for (int length : new int[] {0, 1, 2, 3, 4, 7, 12, 13, 15, 16, 17, 31, 32, 33, 63, 100}) {
      byte[] text = new byte[length];
      random.nextBytes(text);
      checkConstant(TileOpcode.MURMUR3_VIEW, MURMUR3, text);
      checkConstant(TileOpcode.XXHASH64_VIEW, XXHASH64, text);
    }
  }

  private void checkConstant(TileOpcode opcode, Reference reference, byte[] text) {
    int rows = 65;
    long[] seeds = values.longs(rows);
    try (TileRun run = new TileRun(backend(), allocator(), rows)) {
      run.constant(BigInteger.TEN);
      run.add(code(TileOpcode.LOAD_I64).dst(0).a(run.longs(seeds, null)));
      run.add(code(opcode).dst(0).b(0).constantA(run.text(text)));
      run.add(code(TileOpcode.STORE_I64).dst(run.output(PhysicalType.I64)).a(0));
      assertNull(run.run());
      for (int i = 0; i < rows; i++) {
        assertEquals(reference.hash(text, seeds[i]), run.longAt(0, i), opcode + " " + seed());
      }
    }
  }

  @Test
  void hashesDecimals() {
    for (int rows : SIZES) {
      checkDecimals(TileOpcode.MURMUR3_DECIMAL, MURMUR3, rows);
      checkDecimals(TileOpcode.XXHASH64_DECIMAL, XXHASH64, rows);
    }
  }

  private void checkDecimals(TileOpcode opcode, Reference reference, int rows) {
    BigInteger[] decimals = values.wides(rows);
    long[] seeds = values.longs(rows);
    try (TileRun run = new TileRun(backend(), allocator(), rows)) {
      run.add(code(TileOpcode.LOAD_I128).dst(0).a(run.wides(decimals, null)));
      run.add(code(TileOpcode.LOAD_I64).dst(2).a(run.longs(seeds, null)));
      run.add(code(opcode).dst(3).a(0).b(2));
      run.add(code(TileOpcode.STORE_I64).dst(run.output(PhysicalType.I64)).a(3));
      run.add(code(opcode).dst(2).a(0).constantB(42));
      run.add(code(TileOpcode.STORE_I64).dst(run.output(PhysicalType.I64)).a(2));
      assertNull(run.run());
      for (int i = 0; i < rows; i++) {
        byte[] bytes = decimals[i].toByteArray();
        String what = opcode + " " + decimals[i] + " seed " + seed();
        assertEquals(reference.hash(bytes, seeds[i]), run.longAt(0, i), what);
        assertEquals(reference.hash(bytes, 42), run.longAt(1, i), what);
      }
    }
  }
}
