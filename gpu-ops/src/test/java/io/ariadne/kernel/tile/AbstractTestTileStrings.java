package io.ariadne.kernel.tile;

import static io.ariadne.kernel.tile.TileCode.code;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.expression.LikePatterns;
import io.ariadne.kernel.abi.TileOpcode;
import io.ariadne.kernel.testing.AbstractTestKernels;
import io.ariadne.kernel.testing.KernelTestTarget;
import io.ariadne.kernel.testing.SparkStrings;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Instructions on strings against plain Java. */
abstract class AbstractTestTileStrings extends AbstractTestKernels {
  private static final int[] SIZES = {0, 1, 31, 32, 33, 1023, 1025};
  private static final int LEFT = 1;
  private static final int RIGHT = 2;

  private final TileValues values = new TileValues(random);

  AbstractTestTileStrings(KernelTestTarget target) {
    super(target);
  }

  /** A question about two strings. */
  private interface Test2 {
    boolean test(byte[] a, byte[] b);
  }

  private static boolean isLike(byte[] a, byte[] pattern) {
    return SparkStrings.isLike(a, pattern, LikePatterns.ANY_TEXT, LikePatterns.ANY_CHARACTER);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private byte[][] strings(int count, int pieces) {
    byte[][] strings = new byte[count][];
    for (int i = 0; i < count; i++) {
      strings[i] = SparkStrings.random(random, pieces);
    }
    return strings;
  }

  /** Returns strings that have to do with others: equal, parts, longer, or not at all. */
  private byte[][] related(byte[][] strings) {
    byte[][] related = new byte[strings.length][];
    for (int i = 0; i < strings.length; i++) {
      byte[] s = strings[i];
      int from = random.nextInt(s.length + 1);
      int to = from + random.nextInt(s.length - from + 1);
      related[i] =
          switch (random.nextInt(6)) {
            case 0 -> s;
            case 1 -> Arrays.copyOfRange(s, from, to);
            case 2 -> Arrays.copyOf(s, to);
            case 3 -> Arrays.copyOfRange(s, from, s.length);
            case 4 -> Arrays.copyOf(s, s.length + 1);
            default -> SparkStrings.random(random, 6);
          };
    }
    return related;
  }

  @Test
  void comparesAndSearchesStrings() {
    for (int rows : SIZES) {
      checkTest(TileOpcode.EQ_VIEW, Arrays::equals, rows);
      checkTest(TileOpcode.STARTS_VIEW, SparkStrings::startsWith, rows);
      checkTest(TileOpcode.ENDS_VIEW, SparkStrings::endsWith, rows);
      checkTest(TileOpcode.CONTAINS_VIEW, SparkStrings::contains, rows);
    }
  }

  private void checkTest(TileOpcode opcode, Test2 reference, int rows) {
    byte[][] a = strings(rows, rows > 100 ? 8 : 30);
    byte[][] b = related(a);
    boolean[] wanted = values.bits(rows, 0.5);
    byte[] constant = rows == 0 ? new byte[] {'a'} : b[random.nextInt(rows)];
    try (TileRun run = new TileRun(backend(), allocator(), rows)) {
      int x = run.views(a, random);
      int y = run.views(b, random);
      int bits = run.bools(wanted);
      run.add(code(TileOpcode.LOAD_I128).dst(0).a(x));
      run.add(code(TileOpcode.LOAD_I128).dst(2).a(y));
      run.add(code(TileOpcode.LOAD_BOOL).dst(0).a(bits));
      run.add(code(opcode).dst(1).a(0).b(2).aux(x | y << 8));
      run.add(code(TileOpcode.STORE_BOOL).dst(run.output(PhysicalType.BOOL)).a(1));
      run.add(code(opcode).dst(1).a(0).constantB(run.text(constant)).aux(x).mask(0));
      run.add(code(TileOpcode.STORE_BOOL).dst(run.output(PhysicalType.BOOL)).a(1));
      run.add(code(opcode).dst(1).constantA(run.text(constant)).b(2).aux(y << 8));
      run.add(code(TileOpcode.STORE_BOOL).dst(run.output(PhysicalType.BOOL)).a(1));
      assertNull(run.run());
      for (int i = 0; i < rows; i++) {
        String what =
            opcode + " " + hex(a[i]) + " " + hex(b[i]) + " " + hex(constant) + " seed " + seed();
        assertEquals(reference.test(a[i], b[i]), run.bitAt(0, i), what);
        assertEquals(wanted[i] && reference.test(a[i], constant), run.bitAt(1, i), what);
        assertEquals(reference.test(constant, b[i]), run.bitAt(2, i), what);
      }
    }
  }

  @Test
  void matchesLikePatterns() {
    for (int rows : SIZES) {
      for (int i = 0; i < 3; i++) {
        checkLike(rows, pattern());
      }
    }
    byte anything = LikePatterns.ANY_TEXT;
    byte one = LikePatterns.ANY_CHARACTER;
    for (byte[] pattern :
        List.of(
            new byte[0],
            new byte[] {anything},
            new byte[] {anything, anything},
            new byte[] {one},
            new byte[] {one, one},
            new byte[] {anything, one},
            new byte[] {one, anything},
            new byte[] {anything, 'a', anything},
            new byte[] {anything, 'a', one, 'b', anything},
            new byte[] {'a', anything, 'b'})) {
      checkLike(1025, pattern);
    }
  }

  /** Returns a pattern of valid UTF-8 with wild cards in places. */
  private byte[] pattern() {
    byte[] text;
    do {
      text = SparkStrings.random(random, 5);
    } while (SparkStrings.string(text).contains("\ufffd"));
    ByteArrayOutputStream pattern = new ByteArrayOutputStream();
    for (int i = 0; i < text.length; i++) {
      boolean isStart = (text[i] & 0xc0) != 0x80;
      if (isStart && random.nextInt(3) == 0) {
        pattern.write(random.nextBoolean() ? LikePatterns.ANY_TEXT : LikePatterns.ANY_CHARACTER);
      }
      pattern.write(text[i]);
    }
    if (random.nextBoolean()) {
      pattern.write(LikePatterns.ANY_TEXT);
    }
    return pattern.toByteArray();
  }

  private void checkLike(int rows, byte[] pattern) {
    byte[][] a = strings(rows, 7);
    try (TileRun run = new TileRun(backend(), allocator(), rows)) {
      int x = run.views(a, random);
      run.add(code(TileOpcode.LOAD_I128).dst(0).a(x));
      run.add(code(TileOpcode.LIKE_VIEW).dst(0).a(0).constantB(run.text(pattern)).aux(x));
      run.add(code(TileOpcode.STORE_BOOL).dst(run.output(PhysicalType.BOOL)).a(0));
      assertNull(run.run());
      for (int i = 0; i < rows; i++) {
        String what = hex(a[i]) + " like " + hex(pattern) + " seed " + seed();
        assertEquals(isLike(a[i], pattern), run.bitAt(0, i), what);
      }
    }
  }

  @Test
  void computesNumbersOfStrings() {
    for (int rows : SIZES) {
      checkNumbers(rows);
    }
  }

  private void checkNumbers(int rows) {
    byte[][] a = strings(rows, 8);
    byte[][] b = related(a);
    byte[] constant = rows == 0 ? new byte[] {'a'} : b[random.nextInt(rows)];
    long[] starts = new long[rows];
    Arrays.setAll(starts, i -> random.nextInt(5) - 1);
    try (TileRun run = new TileRun(backend(), allocator(), rows)) {
      int x = run.views(a, random);
      int y = run.views(b, random);
      run.add(code(TileOpcode.LOAD_I128).dst(0).a(x));
      run.add(code(TileOpcode.LOAD_I128).dst(2).a(y));
      run.add(code(TileOpcode.LOAD_I64).dst(4).a(run.longs(starts, null)));
      run.add(code(TileOpcode.COMPARE_VIEW).dst(5).a(0).b(2).aux(x | y << 8));
      store(run, 5);
      run.add(code(TileOpcode.COMPARE_VIEW).dst(5).a(0).constantB(run.text(constant)).aux(x));
      store(run, 5);
      run.add(code(TileOpcode.POSITION_VIEW).dst(5).a(0).b(2).mask(4).aux(x | y << 8));
      store(run, 5);
      run.add(code(TileOpcode.LENGTH_VIEW).dst(5).a(0).aux(x));
      store(run, 5);
      run.add(code(TileOpcode.CODE_POINT_VIEW).dst(5).a(0).aux(x));
      store(run, 5);
      assertNull(run.run());
      for (int i = 0; i < rows; i++) {
        String what = hex(a[i]) + " " + hex(b[i]) + " " + starts[i] + " seed " + seed();
        assertEquals(order(a[i], b[i]), run.longAt(0, i), what);
        assertEquals(order(a[i], constant), run.longAt(1, i), what);
        int position = SparkStrings.indexOf(a[i], b[i], (int) starts[i]);
        assertEquals(position, run.longAt(2, i), what);
        assertEquals(SparkStrings.characters(a[i]), run.longAt(3, i), what);
        assertEquals(SparkStrings.codePoint(a[i]), run.longAt(4, i), what);
      }
    }
  }

  private static long order(byte[] a, byte[] b) {
    return Integer.signum(Arrays.compareUnsigned(a, b));
  }

  private static void store(TileRun run, int register) {
    run.add(code(TileOpcode.STORE_I64).dst(run.output(PhysicalType.I64)).a(register));
  }

  @Test
  void computesPartsOfStrings() {
    for (int rows : SIZES) {
      checkSubstring(rows);
      checkTrim(rows, new byte[0]);
      checkTrim(rows, new byte[] {'a', ' ', 'x'});
    }
  }

  private void checkSubstring(int rows) {
    byte[][] a = strings(rows, 8);
    long[] positions = new long[rows];
    long[] counts = new long[rows];
    for (int i = 0; i < rows; i++) {
      positions[i] = number(20);
      counts[i] = number(30);
    }
    try (TileRun run = new TileRun(backend(), allocator(), rows)) {
      int x = run.views(a, random);
      run.add(code(TileOpcode.LOAD_I128).dst(0).a(x));
      run.add(code(TileOpcode.LOAD_I64).dst(2).a(run.longs(positions, null)));
      run.add(code(TileOpcode.LOAD_I64).dst(3).a(run.longs(counts, null)));
      run.add(code(TileOpcode.SUBSTRING_VIEW).dst(0).a(0).b(2).mask(3).aux(x));
      run.add(code(TileOpcode.STORE_I128).dst(run.output(PhysicalType.I128)).a(0));
      assertNull(run.run());
      for (int i = 0; i < rows; i++) {
        String what = hex(a[i]) + " " + positions[i] + " " + counts[i] + " seed " + seed();
        byte[] expected = SparkStrings.substring(a[i], (int) positions[i], (int) counts[i]);
        assertEquals(hex(expected), hex(run.textAt(0, i, x)), what);
      }
    }
  }

  private int number(int bound) {
    return switch (random.nextInt(10)) {
      case 0 -> Integer.MAX_VALUE;
      case 1 -> Integer.MIN_VALUE;
      default -> random.nextInt(bound) - bound / 3;
    };
  }

  private void checkTrim(int rows, byte[] set) {
    byte[][] a = strings(rows, 8);
    try (TileRun run = new TileRun(backend(), allocator(), rows)) {
      int x = run.views(a, random);
      long text = run.text(set);
      run.add(code(TileOpcode.LOAD_I128).dst(0).a(x));
      for (int sides = LEFT; sides <= (LEFT | RIGHT); sides++) {
        run.add(code(TileOpcode.TRIM_VIEW).dst(2).a(0).constantB(text).aux(x | sides << 8));
        run.add(code(TileOpcode.STORE_I128).dst(run.output(PhysicalType.I128)).a(2));
      }
      assertNull(run.run());
      for (int i = 0; i < rows; i++) {
        String what = hex(a[i]) + " without " + hex(set) + " seed " + seed();
        byte[] left = SparkStrings.trimLeft(a[i], set);
        assertEquals(hex(left), hex(run.textAt(0, i, x)), what);
        assertEquals(hex(SparkStrings.trimRight(a[i], set)), hex(run.textAt(1, i, x)), what);
        assertEquals(hex(SparkStrings.trimRight(left, set)), hex(run.textAt(2, i, x)), what);
      }
    }
  }

  @Test
  void searchesManyStringsWithinTheWorkBudget() {
    byte[][] a = strings(MANY, 10);
    try (TileRun run = new TileRun(backend(), allocator(), MANY)) {
      int x = run.views(a, random);
      byte[] wanted = {'a', 'b'};
      run.add(code(TileOpcode.LOAD_I128).dst(0).a(x));
      run.add(code(TileOpcode.CONTAINS_VIEW).dst(0).a(0).constantB(run.text(wanted)).aux(x));
      run.add(code(TileOpcode.STORE_BOOL).dst(run.output(PhysicalType.BOOL)).a(0));
      assertNull(run.run());
      for (int i = 0; i < MANY; i++) {
        assertEquals(SparkStrings.contains(a[i], wanted), run.bitAt(0, i), hex(a[i]));
      }
    }
    checkWork("tile_program search in strings");
  }
}
