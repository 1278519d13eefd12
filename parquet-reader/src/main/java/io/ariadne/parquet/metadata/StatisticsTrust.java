package io.ariadne.parquet.metadata;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decides which bounds of a file can be trusted.
 *
 * <p>Follows the rules of parquet-mr ({@code ParquetMetadataConverter.fromParquetStatistics},
 * {@code CorruptStatistics}, {@code Statistics.Builder}). Bounds in the newer fields are valid if
 * the column has the order that its type defines. Bounds in the older fields were compared as
 * signed bytes: they are valid only where that is the type's order, and for binaries not if
 * parquet-mr before 1.8.0 wrote them (PARQUET-251). A NaN bound says nothing. A zero bound of a
 * float may be either zero. Bounds of the wrong length are dropped.
 */
final class StatisticsTrust {
  private static final Pattern VERSION =
      Pattern.compile("(\\d{1,6})\\.(\\d{1,6})\\.(\\d{1,6})(.*)");

  /**
   * First minor version of parquet-mr 1 that treats NaN as the largest number, so that a bound
   * shows it.
   */
  private static final int FIRST_MINOR_WITH_NAN = 10;

  /** Last minor version of parquet-mr 1 that is known to do so. */
  private static final int LAST_MINOR_WITH_NAN = 17;

  private final boolean oldBinaryBounds;
  private final boolean nanIsBound;

  /** Creates the rules for files of one writer. */
  StatisticsTrust(String createdBy) {
    oldBinaryBounds = trustsOldBinaryBounds(createdBy);
    nanIsBound = nanIsBound(createdBy);
  }

  /** Returns whether the bounds of floating-point columns are NaN whenever a value is. */
  private static boolean nanIsBound(String createdBy) {
    WriterVersion writer = WriterVersion.of(createdBy);
    if (writer == null || !writer.application().equals("parquet-mr")) {
      return false;
    }
    Matcher version = VERSION.matcher(writer.version());
    if (!version.matches() || !version.group(1).equals("1")) {
      return false;
    }
    int minor = Integer.parseInt(version.group(2));
    return minor >= FIRST_MINOR_WITH_NAN && minor <= LAST_MINOR_WITH_NAN;
  }

  /** Returns whether floating-point bounds other than NaN show that no value is NaN. */
  boolean nanIsBound() {
    return nanIsBound;
  }

  private static boolean trustsOldBinaryBounds(String createdBy) {
    WriterVersion writer = WriterVersion.of(createdBy);
    if (writer == null) {
      return false;
    }
    if (!writer.application().equals("parquet-mr")) {
      return true;
    }
    Matcher version = VERSION.matcher(writer.version());
    if (!version.matches()) {
      return false;
    }
    int major = Integer.parseInt(version.group(1));
    int minor = Integer.parseInt(version.group(2));
    boolean isRelease = version.group(4).isEmpty();
    boolean isLater = minor > 8 || (minor == 8 && Integer.parseInt(version.group(3)) > 0);
    return major > 1 || (major == 1 && (isLater || (minor == 8 && isRelease)));
  }

  /**
   * Returns the statistics that can be trusted.
   *
   * @param leaf the column
   * @param raw what the file states, null when it states nothing
   * @param hasTypeOrder whether the column has the order that its type defines
   */
  Statistics trusted(SchemaNode leaf, RawStatistics raw, boolean hasTypeOrder) {
    if (raw == null) {
      return Statistics.NONE;
    }
    byte[] min = null;
    byte[] max = null;
    boolean isNew = raw.minValue() != null && raw.maxValue() != null;
    if (isNew) {
      if ((hasTypeOrder && hasOrder(leaf)) || Arrays.equals(raw.minValue(), raw.maxValue())) {
        min = raw.minValue();
        max = raw.maxValue();
      }
    } else if (raw.min() != null && raw.max() != null && trustsOld(leaf, raw)) {
      min = raw.min();
      max = raw.max();
    }
    if (min == null || !hasRightLength(leaf, min) || !hasRightLength(leaf, max)) {
      return new Statistics(null, null, raw.nullCount(), false, false);
    }
    return floatRules(
        leaf,
        nanIsBound,
        new Statistics(
            min, max, raw.nullCount(), !isNew || raw.isMinExact(), !isNew || raw.isMaxExact()));
  }

  /** Returns whether the column's order can be relied on at all. */
  static boolean hasOrder(SchemaNode leaf) {
    if (leaf.kind() == PhysicalKind.INT96) {
      return false;
    }
    return switch (leaf.annotation().kind()) {
      case INTERVAL, UNRECOGNISED, UNKNOWN, GEOMETRY, GEOGRAPHY, VARIANT -> false;
      default -> true;
    };
  }

  private boolean trustsOld(SchemaNode leaf, RawStatistics raw) {
    boolean isBinary =
        leaf.kind() == PhysicalKind.BYTE_ARRAY || leaf.kind() == PhysicalKind.FIXED_LEN_BYTE_ARRAY;
    if (isBinary && !oldBinaryBounds) {
      return false;
    }
    return isSigned(leaf) || Arrays.equals(raw.min(), raw.max());
  }

  private static boolean isSigned(SchemaNode leaf) {
    return switch (leaf.annotation().kind()) {
      case INTEGER -> leaf.annotation().isSigned();
      case DATE, TIME, TIMESTAMP, FLOAT16 -> true;
      case NONE ->
          switch (leaf.kind()) {
            case BOOLEAN, INT32, INT64, FLOAT, DOUBLE -> true;
            default -> false;
          };
      default -> false;
    };
  }

  static boolean hasRightLength(SchemaNode leaf, byte[] bound) {
    return switch (leaf.kind()) {
      case BOOLEAN -> bound.length == 1;
      case INT32, INT64, FLOAT, DOUBLE, INT96 -> bound.length == leaf.kind().widthInBytes();
      case FIXED_LEN_BYTE_ARRAY ->
          leaf.annotation().kind() == LogicalKind.FLOAT16
              ? bound.length == Short.BYTES
              : bound.length <= leaf.typeLength();
      case BYTE_ARRAY -> true;
    };
  }

  /** Drops NaN bounds and widens zero bounds. */
  static Statistics floatRules(SchemaNode leaf, boolean nanIsBound, Statistics statistics) {
    int width =
        switch (leaf.kind()) {
          case FLOAT -> Float.BYTES;
          case DOUBLE -> Double.BYTES;
          case FIXED_LEN_BYTE_ARRAY ->
              leaf.annotation().kind() == LogicalKind.FLOAT16 ? Short.BYTES : 0;
          default -> 0;
        };
    if (width == 0 || !statistics.hasBounds()) {
      return statistics;
    }
    if (isNan(statistics.min(), width) || isNan(statistics.max(), width)) {
      return new Statistics(null, null, statistics.nullCount(), false, false);
    }
    return new Statistics(
        zeroAs(statistics.min(), width, (byte) 0x80),
        zeroAs(statistics.max(), width, (byte) 0),
        statistics.nullCount(),
        statistics.isMinExact(),
        statistics.isMaxExact(),
        nanIsBound);
  }

  private static boolean isNan(byte[] value, int width) {
    long bits = 0;
    for (int i = 0; i < width; i++) {
      bits |= (value[i] & 0xFFL) << (Byte.SIZE * i);
    }
    return switch (width) {
      case Short.BYTES -> (bits & 0x7FFF) > 0x7C00;
      case Float.BYTES -> Float.isNaN(Float.intBitsToFloat((int) bits));
      default -> Double.isNaN(Double.longBitsToDouble(bits));
    };
  }

  private static byte[] zeroAs(byte[] value, int width, byte sign) {
    for (int i = 0; i < width; i++) {
      if ((value[i] & (i == width - 1 ? 0x7F : 0xFF)) != 0) {
        return value;
      }
    }
    byte[] zero = new byte[width];
    zero[width - 1] = sign;
    return zero;
  }
}
