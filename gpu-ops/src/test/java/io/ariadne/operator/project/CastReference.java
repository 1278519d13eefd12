package io.ariadne.operator.project;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.TypeKind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Spark's casts from strings and to strings in plain Java, without zones by name. */
final class CastReference {
  private static final Pattern INTEGER = Pattern.compile("[+-]?(\\d*)(\\.\\d*)?");
  private static final Pattern DATE =
      Pattern.compile("([+-]?\\d{4,7})(?:-(\\d{1,2})(?:-(\\d{1,2})(?:[ T].*)?)?)?", Pattern.DOTALL);
  private static final Pattern TIMESTAMP =
      Pattern.compile(
          "([+-]?\\d{4,6})(?:-(\\d{1,2})(?:-(\\d{1,2})(?:[ T](\\d{1,2})(?::(\\d{1,2})"
              + "(?::(\\d{1,2})(?:\\.(\\d*))?(\\D.*)?)?)?)?)?)?",
          Pattern.DOTALL);

  private CastReference() {}

  private static boolean isBlank(char c) {
    return c <= ' ' || c == 0x7f;
  }

  private static String trimmed(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && isBlank(text.charAt(from))) {
      from++;
    }
    while (from < to && isBlank(text.charAt(to - 1))) {
      to--;
    }
    return text.substring(from, to);
  }

  /** Returns a Boolean, or a number: an integer, an unscaled value, days or microseconds. */
  static Object parse(String text, DataType type, boolean isWhole, ZoneId zone) {
    return switch (TypeKind.of(type)) {
      case BOOLEAN -> truth(trimmed(text).toLowerCase(Locale.ROOT));
      case DECIMAL -> decimal(text, (DecimalType) type);
      case FLOAT32, FLOAT64 -> floating(text, type == PrimitiveType.FLOAT32);
      case DATE -> date(trimmed(text));
      case TIMESTAMP, TIMESTAMP_NTZ -> timestamp(trimmed(text), zone);
      default -> integer(trimmed(text), type, isWhole);
    };
  }

  private static Number floating(String text, boolean isFloat) {
    double special =
        switch (text.trim().toLowerCase(Locale.ROOT)) {
          case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
          case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
          default -> Double.NaN;
        };
    try {
      if (!Double.isNaN(special)) {
        return isFloat ? (Number) (float) special : (Number) special;
      }
      return isFloat ? (Number) Float.parseFloat(text) : (Number) Double.parseDouble(text);
    } catch (NumberFormatException e) {
      boolean isNan = text.trim().equalsIgnoreCase("nan");
      return isNan ? (isFloat ? (Number) Float.NaN : (Number) Double.NaN) : null;
    }
  }

  private static Boolean truth(String text) {
    if (Set.of("true", "t", "yes", "y", "1").contains(text)) {
      return true;
    }
    return Set.of("false", "f", "no", "n", "0").contains(text) ? false : null;
  }

  private static Long integer(String text, DataType type, boolean isWhole) {
    Matcher matcher = INTEGER.matcher(text);
    if (text.isEmpty() || text.equals("+") || text.equals("-") || !matcher.matches()) {
      return null;
    }
    if (isWhole && matcher.group(2) != null) {
      return null;
    }
    BigInteger absolute = new BigInteger("0" + matcher.group(1));
    BigInteger value = text.startsWith("-") ? absolute.negate() : absolute;
    int bits = type.defaultPhysicalType().widthInBytes() * Byte.SIZE;
    return value.bitLength() < bits ? (Long) value.longValueExact() : null;
  }

  private static BigInteger decimal(String text, DecimalType type) {
    try {
      BigDecimal value = new BigDecimal(text.trim()).setScale(type.scale(), RoundingMode.HALF_UP);
      return value.precision() <= type.precision() ? value.unscaledValue() : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static int part(Matcher matcher, int group, int otherwise) {
    String digits = matcher.group(group);
    return digits == null ? otherwise : Integer.parseInt(digits);
  }

  private static Long date(String text) {
    Matcher matcher = DATE.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    try {
      long day =
          LocalDate.of(part(matcher, 1, 0), part(matcher, 2, 1), part(matcher, 3, 1)).toEpochDay();
      return day == (int) day ? (Long) day : null;
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static Long timestamp(String text, ZoneId zone) {
    Matcher matcher = TIMESTAMP.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    try {
      String fraction = matcher.group(7) == null ? "" : matcher.group(7);
      int micros = Integer.parseInt((fraction + "000000").substring(0, 6));
      LocalDate date = LocalDate.of(part(matcher, 1, 0), part(matcher, 2, 1), part(matcher, 3, 1));
      LocalTime time =
          LocalTime.of(
              part(matcher, 4, 0), part(matcher, 5, 0), part(matcher, 6, 0), micros * 1000);
      ZoneId written = matcher.group(8) == null ? null : zoneOf(matcher.group(8).trim());
      ZoneId used = zone == null ? ZoneOffset.UTC : written == null ? zone : written;
      Instant instant = LocalDateTime.of(date, time).atZone(used).toInstant();
      return BigInteger.valueOf(instant.getEpochSecond())
          .multiply(BigInteger.valueOf(1_000_000))
          .add(BigInteger.valueOf(micros))
          .longValueExact();
    } catch (DateTimeException | ArithmeticException e) {
      return null;
    }
  }

  private static ZoneId zoneOf(String name) {
    String hours = name.replaceFirst("([+-])(\\d):", "$10$2:");
    return ZoneId.of(hours.replaceFirst("([+-])(\\d\\d):(\\d)$", "$1$2:0$3"));
  }

  /** Returns the string of a value as {@link #parse} returns them. */
  static String format(Object value, DataType type, boolean isPlain, ZoneId zone) {
    if (type instanceof DecimalType decimal) {
      BigDecimal exact = new BigDecimal((BigInteger) value, decimal.scale());
      return isPlain ? exact.toPlainString() : exact.toString();
    }
    if (type == PrimitiveType.DATE32) {
      return LocalDate.ofEpochDay((Long) value).toString();
    }
    boolean isTime =
        type == PrimitiveType.TIMESTAMP_MICROS || type == PrimitiveType.TIMESTAMP_NTZ_MICROS;
    return isTime ? time((Long) value, zone == null ? ZoneOffset.UTC : zone) : value.toString();
  }

  private static String time(long micros, ZoneId zone) {
    LocalDateTime time =
        Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atZone(zone).toLocalDateTime();
    String seconds =
        "%s %02d:%02d:%02d"
            .formatted(time.toLocalDate(), time.getHour(), time.getMinute(), time.getSecond());
    String fraction = "%06d".formatted(time.getNano() / 1000).replaceFirst("0+$", "");
    return fraction.isEmpty() ? seconds : seconds + "." + fraction;
  }
}
