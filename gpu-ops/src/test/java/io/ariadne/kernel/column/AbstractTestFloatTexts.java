package io.ariadne.kernel.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.FloatText;
import io.ariadne.kernel.abi.FormatBound;
import io.ariadne.kernel.abi.FormatType;
import io.ariadne.kernel.testing.AbstractTestKernels;
import io.ariadne.kernel.testing.KernelTestTarget;
import io.ariadne.kernel.testing.TextNumbers;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.junit.jupiter.api.Test;

/**
 * Texts of doubles and floats: those of this JVM, and, whatever the JVM, that the shortest ones are
 * such. {@code -Dariadne.test.floatStride=1} looks at every float.
 */
abstract class AbstractTestFloatTexts extends AbstractTestKernels {
  private static final int FLOAT_STRIDE = Integer.getInteger("ariadne.test.floatStride", 0);
  private static final int BATCH = 1 << 16;

  AbstractTestFloatTexts(KernelTestTarget target) {
    super(target);
  }

  /** Returns how many numbers to look at. */
  abstract int count();

  @Test
  void doublesReadAsThisJvmWritesThem() {
    check(PrimitiveType.FLOAT64, ofThisJvm(), doubles());
  }

  @Test
  void floatsReadAsThisJvmWritesThem() {
    check(PrimitiveType.FLOAT32, ofThisJvm(), floats());
    if (FLOAT_STRIDE > 0) {
      List<Object> batch = new ArrayList<>();
      for (long bits = 0; bits < 1L << Integer.SIZE; bits += FLOAT_STRIDE) {
        batch.add(Float.intBitsToFloat((int) bits));
        if (batch.size() == BATCH) {
          check(PrimitiveType.FLOAT32, ofThisJvm(), batch);
          batch.clear();
        }
      }
      check(PrimitiveType.FLOAT32, ofThisJvm(), batch);
    }
  }

  @Test
  void writesTheShortestTextsOfDoubles() {
    List<Object> values = doubles();
    format(
        PrimitiveType.FLOAT64,
        FormatType.FORMAT_FLOATING,
        values,
        (text, row) -> checkShortest((Double) values.get(row), false, text));
  }

  @Test
  void writesTheShortestTextsOfFloats() {
    List<Object> values = floats();
    format(
        PrimitiveType.FLOAT32,
        FormatType.FORMAT_FLOATING,
        values,
        (text, row) -> checkShortest((Float) values.get(row), true, text));
  }

  private static int ofThisJvm() {
    return FloatText.OF_THIS_JVM == FloatText.SHORTEST
        ? FormatType.FORMAT_FLOATING
        : FormatType.FORMAT_CLASSIC_FLOATING;
  }

  /** Random ones, the powers of two and ten, the least ones, and those beside them. */
  private List<Object> doubles() {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < count(); i++) {
      double edge =
          switch (i % 8) {
            case 0 -> Math.scalb(1.0, random.nextInt(2100) - 1075);
            case 1 -> Double.parseDouble("1e" + (random.nextInt(640) - 330));
            case 2 -> Double.longBitsToDouble(random.nextInt(1000));
            default -> (Double) TextNumbers.next(random, false);
          };
      values.add(Double.longBitsToDouble(Double.doubleToLongBits(edge) + random.nextInt(3) - 1));
    }
    return values;
  }

  private List<Object> floats() {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < count(); i++) {
      float edge =
          switch (i % 8) {
            case 0 -> Math.scalb(1.0f, random.nextInt(280) - 150);
            case 1 -> Float.parseFloat("1e" + (random.nextInt(90) - 48));
            case 2 -> Float.intBitsToFloat(random.nextInt(1000));
            default -> (Float) TextNumbers.next(random, true);
          };
      values.add(Float.intBitsToFloat(Float.floatToIntBits(edge) + random.nextInt(3) - 1));
    }
    return values;
  }

  private void check(DataType type, int format, List<Object> values) {
    format(
        type,
        format,
        values,
        (text, row) -> {
          if (!text.equals(values.get(row).toString())) {
            assertEquals(values.get(row).toString(), text);
          }
        });
  }

  private void format(
      DataType type, int format, List<Object> values, ObjIntConsumer<String> check) {
    try (ColumnBuilder builder = ColumnBuilder.create(type, allocator());
        StringFormatterKernel kernel = new StringFormatterKernel(backend(), allocator())) {
      values.forEach(builder::appendValue);
      StringFormatterKernel.Format how =
          new StringFormatterKernel.Format(format, 0, FormatBound.FORMAT_BOUND_LONG);
      try (ColumnVector column = builder.build();
          ColumnVector texts =
              kernel.run(how, null, 0, values.size(), new CastInput(column, column))) {
        ColumnReader reader = new ColumnReader(texts);
        for (int row = 0; row < values.size(); row++) {
          check.accept(reader.getString(row), row);
        }
      }
    }
  }

  /** Reads back, has no shorter text, and is the nearest of its length, of at least two digits. */
  private static void checkShortest(double value, boolean isFloat, String text) {
    if (Double.isNaN(value) || Double.isInfinite(value) || value == 0) {
      assertEquals(Double.toString(value), text);
      return;
    }
    assertTrue(reads(text, value, isFloat), text);
    BigDecimal exact = new BigDecimal(value);
    BigDecimal shown = new BigDecimal(text).stripTrailingZeros();
    int digits = Math.max(2, shown.precision());
    for (RoundingMode mode : List.of(RoundingMode.DOWN, RoundingMode.UP)) {
      if (digits > 2) {
        BigDecimal shorter = exact.round(new MathContext(digits - 1, mode));
        assertTrue(!reads(shorter.toString(), value, isFloat), text + " is longer than " + shorter);
      }
      BigDecimal other = exact.round(new MathContext(digits, mode));
      boolean isNearer =
          other.subtract(exact).abs().compareTo(shown.subtract(exact).abs()) < 0
              && reads(other.toString(), value, isFloat);
      assertTrue(!isNearer, text + " is further than " + other);
    }
  }

  private static boolean reads(String text, double value, boolean isFloat) {
    return (isFloat ? Float.parseFloat(text) : Double.parseDouble(text)) == value;
  }
}
