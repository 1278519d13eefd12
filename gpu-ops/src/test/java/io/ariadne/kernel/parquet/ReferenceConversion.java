package io.ariadne.kernel.parquet;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoField;
import java.util.Arrays;
import java.util.Calendar;
import java.util.TimeZone;

/** Conversions of stored values in plain Java, one value at a time, with calendars of the JDK. */
final class ReferenceConversion {
  private static final long MICROS_PER_DAY = 86_400_000_000L;
  private static final long MILLIS_PER_DAY = 86_400_000L;

  private ReferenceConversion() {}

  /**
   * Converts one value without rebasing.
   *
   * @return the result's bytes
   * @throws ArithmeticException when the result does not fit
   */
  static byte[] convert(ValueConversion conversion, byte[] stored, int scale) {
    ByteBuffer in = ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN);
    int bytes = conversion.resultBytes();
    return switch (conversion) {
      case COPY_1, COPY_2, COPY_4, COPY_8, COPY_16, DATE, MICROS -> stored;
      case INT32_TO_I8, INT32_TO_I16, INT32_TO_I64 -> little(in.getInt(), bytes);
      case UINT32_TO_I64 -> little(Integer.toUnsignedLong(in.getInt()), bytes);
      case INT32_TO_F64 -> little(Double.doubleToLongBits(in.getInt()), bytes);
      case FLOAT_TO_F64 -> little(Double.doubleToLongBits(in.getFloat()), bytes);
      case UINT64_TO_I128 ->
          little(new BigInteger(Long.toUnsignedString(in.getLong())), conversion, 0);
      case INT32_TO_DECIMAL32, INT32_TO_DECIMAL64, INT32_TO_DECIMAL128 ->
          little(BigInteger.valueOf(in.getInt()), conversion, scale);
      case INT64_TO_DECIMAL32, INT64_TO_DECIMAL64, INT64_TO_DECIMAL128 ->
          little(BigInteger.valueOf(in.getLong()), conversion, scale);
      case BIG_ENDIAN_TO_DECIMAL32, BIG_ENDIAN_TO_DECIMAL64 ->
          little(new BigInteger(stored), conversion, scale);
      case BIG_ENDIAN_TO_DECIMAL128 -> {
        BigInteger value = new BigInteger(stored);
        if (value.bitLength() > 127) {
          throw new ArithmeticException("more than 128 bits");
        }
        yield little(value, conversion, scale);
      }
      case DATE_TO_MICROS -> little(Math.multiplyExact(in.getInt(), MICROS_PER_DAY), bytes);
      case MILLIS_TO_MICROS, MICROS_TO_NANOS ->
          little(Math.multiplyExact(in.getLong(), 1000L), bytes);
      case NANOS_TO_MICROS -> little(Math.floorDiv(in.getLong(), 1000L), bytes);
      case INT96_TO_MICROS -> {
        long nanos = in.getLong();
        yield little((in.getInt() - 2440588) * MICROS_PER_DAY + nanos / 1000, bytes);
      }
    };
  }

  private static byte[] little(long value, int bytes) {
    byte[] all = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    return Arrays.copyOf(all, bytes);
  }

  private static byte[] little(BigInteger value, ValueConversion conversion, int scale) {
    BigInteger scaled = value.multiply(BigInteger.TEN.pow(scale));
    byte[] result = new byte[conversion.resultBytes()];
    for (int i = 0; i < result.length; i++) {
      result[i] = scaled.shiftRight(8 * i).byteValue();
    }
    return result;
  }

  /** Returns the Gregorian day with the local date of a day of the hybrid calendar. */
  static int rebaseDay(int day) {
    Calendar calendar = hybrid(day * MILLIS_PER_DAY, TimeZone.getTimeZone("UTC"));
    return Math.toIntExact(
        LocalDate.of(calendar.get(Calendar.YEAR), calendar.get(Calendar.MONTH) + 1, 1)
            .with(ChronoField.ERA, calendar.get(Calendar.ERA))
            .plusDays(calendar.get(Calendar.DAY_OF_MONTH) - 1)
            .toEpochDay());
  }

  /** Returns the instant with the same local time; the zone has one offset. */
  static long rebaseMicros(long micros, TimeZone zone) {
    Calendar calendar = hybrid(Math.floorDiv(micros, 1000), zone);
    LocalDateTime local =
        LocalDateTime.of(
                calendar.get(Calendar.YEAR),
                calendar.get(Calendar.MONTH) + 1,
                1,
                calendar.get(Calendar.HOUR_OF_DAY),
                calendar.get(Calendar.MINUTE),
                calendar.get(Calendar.SECOND),
                (int) Math.floorMod(micros, 1_000_000L) * 1000)
            .with(ChronoField.ERA, calendar.get(Calendar.ERA))
            .plusDays(calendar.get(Calendar.DAY_OF_MONTH) - 1);
    Instant instant = local.atZone(zone.toZoneId()).toInstant();
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1000;
  }

  private static Calendar hybrid(long millis, TimeZone zone) {
    return new Calendar.Builder()
        .setCalendarType("gregory")
        .setInstant(millis)
        .setTimeZone(zone)
        .build();
  }
}
