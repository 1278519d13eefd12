package io.ariadne.rules.exec;

import java.util.List;
import java.util.Random;

/** Strings that casts read: well formed, nearly so, and not at all. */
final class CastStrings {
  private static final List<String> ZONES =
      List.of(
          "",
          "",
          "",
          "Z",
          "z",
          " UTC",
          "UTC",
          "GMT",
          "UT",
          "+01:00",
          "-8",
          "+5:45",
          "-08:3",
          "+18",
          "-18:00",
          "+18:01",
          "+19:00",
          "-00:60",
          "UTC+1",
          "GMT-03:30",
          " UT+12:5",
          "+",
          "UTCx",
          "G");

  /** Zones that only Spark's code knows. */
  private static final List<String> NAMED_ZONES =
      List.of(
          "Europe/Paris",
          " America/Los_Angeles",
          "PST",
          "EST",
          "+0100",
          "+01:02:03",
          "GMT0",
          "CET",
          "Nowhere/At_All",
          ":00");

  private static final List<String> WORDS =
      List.of(
          "true",
          "T",
          "Yes",
          "y",
          "1",
          "FALSE",
          "f",
          "no",
          "N",
          "0",
          "",
          " ",
          "tru",
          "yess",
          "-",
          "+",
          ".",
          "-.",
          "+.5",
          "5.",
          "1e",
          "1e+",
          "e5",
          ".e1",
          "1e5",
          "-1E-3",
          "0e40",
          "0e-40",
          "1e37",
          "1e38",
          "9e36",
          "1e9999",
          "1e-9999",
          "1e10000",
          "0.0",
          "-0",
          "+0.",
          "1.2.3",
          "--1",
          "+-1",
          "127",
          "128",
          "-128",
          "-129",
          "32767",
          "32768",
          "-32769",
          "2147483647",
          "2147483648",
          "-2147483648",
          "-2147483649",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "-9223372036854775809",
          "99999999999999999999999",
          "1970-01-01",
          "2000-02-29",
          "1900-02-29",
          "2100-02-28",
          "2020-",
          "2020-1",
          "2020-1-",
          "2020-1-1",
          "20200-01-01",
          "+2020-01-01",
          "-0001-12-31",
          "0000-01-01",
          "9999-12-31",
          "9999999-12-31",
          "-9999999-01-01",
          "10000000-01-01",
          "5881580-07-11",
          "5881580-07-12",
          "-5877641-06-23",
          "-5877641-06-22",
          "294247-01-10 04:00:54.775807",
          "294247-01-10 04:00:54.775808",
          "-290308-12-21 19:59:05.224192",
          "-290308-12-21 19:59:05.224191",
          "999999-01-01 00:00:00",
          "2020-01-01T",
          "2020-01-01 ",
          "2020-01-01 x",
          "2020-01-01Tx",
          "2020-01-01 12",
          "2020-01-01 12:",
          "2020-01-01 12:3",
          "2020-01-01 12:30:",
          "2020-01-01 12:30:5.",
          "2020-01-01 12:30:.5",
          "2020-01-01 12:30:05.1234567Z",
          "2020-01-01 23:59:59.999999999",
          "2020-01-01 24:00:00",
          "2020-01-01 12:60:00",
          "2020-01-01 12:30:60",
          "2020-01-01 12:30Z");

  /** Changes of the clock: gaps and overlaps of the zones that are tried. */
  private static final List<String> CLOCKS =
      List.of(
          "2020-03-08 02:30:00",
          "2020-03-08 02:00:00",
          "2020-03-08 03:00:00",
          "2020-11-01 01:30:00",
          "2020-11-01 01:00:00",
          "2020-11-01 02:00:00",
          "1883-11-18 12:00:00",
          "2500-03-14 02:30:00",
          "2500-11-07 01:30:00",
          "2021-04-04 01:45:00",
          "2021-10-03 02:15:00",
          "1986-01-01 00:10:00",
          "1900-01-01 00:00:00",
          "0001-01-01 00:00:00",
          "-000001-01-01 00:00:00");

  /** Names, borders and ties of floating point, and what Java reads as such. */
  private static final List<String> FLOATS =
      List.of(
          "NaN",
          "-NaN",
          "nAn",
          "-nan",
          "inf",
          "+Infinity",
          "-INF",
          "infinit",
          "1d",
          "-2.5F",
          "1e3f",
          "3dd",
          "0x1p3",
          "0x1.8p-1d",
          "4.9e-324",
          "2.4703282292062327e-324",
          "2.4703282292062328e-324",
          "1.7976931348623157e308",
          "1.7976931348623158e308",
          "1.7976931348623159e308",
          "9007199254740993",
          "9007199254740993.0000000000000000000000001",
          "9007199254740992.9999999999999999999999999",
          "1.4e-45",
          "7.0064923216240853e-46",
          "7.0064923216240854e-46",
          "3.4028235e38",
          "3.4028235677973366e38",
          "16777217",
          "16777217.0000000000000000000001",
          "1e400",
          "-1e-400",
          "1e99999999999",
          "0e99999999999",
          "123456789012345678901234567890e-400");

  private static final String COMMON = "0123456789+-.:eET Z\t";
  private static final String STRANGE = "\u0660\u00e9\u0001\u007f\u2003/xdf";

  private final Random random;

  CastStrings(Random random) {
    this.random = random;
  }

  /**
   * Returns a string.
   *
   * @param isUsual whether kernels shall know it, most of the time
   */
  String next(boolean isUsual) {
    String text =
        switch (random.nextInt(6)) {
          case 0 -> WORDS.get(random.nextInt(WORDS.size()));
          case 1 -> number();
          case 2 -> date();
          case 3 -> CLOCKS.get(random.nextInt(CLOCKS.size())) + zone(isUsual);
          default -> date() + time() + zone(isUsual);
        };
    for (int i = random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0; i > 0; i--) {
      text = mutated(text, isUsual);
    }
    return switch (random.nextInt(12)) {
      case 0 -> " " + text;
      case 1 -> text + "\t ";
      case 2 -> "\u0003" + text + "\n";
      default -> text;
    };
  }

  /** Returns a string about floating point. */
  String nextFloating() {
    String text =
        switch (random.nextInt(5)) {
          case 0 -> FLOATS.get(random.nextInt(FLOATS.size()));
          case 1 -> Double.toString(Double.longBitsToDouble(random.nextLong()));
          case 2 -> Float.toString(Float.intBitsToFloat(random.nextInt()));
          case 3 -> number() + "e" + (random.nextInt(680) - 350);
          default -> number();
        };
    return random.nextInt(4) == 0 ? mutated(text, random.nextBoolean()) : text;
  }

  private String zone(boolean isUsual) {
    List<String> zones = isUsual || random.nextInt(3) > 0 ? ZONES : NAMED_ZONES;
    return zones.get(random.nextInt(zones.size()));
  }

  private String digits(int count) {
    StringBuilder digits = new StringBuilder();
    for (int i = 0; i < count; i++) {
      digits.append(random.nextInt(4) == 0 ? '9' : (char) ('0' + random.nextInt(10)));
    }
    return digits.toString();
  }

  private String number() {
    StringBuilder number = new StringBuilder(List.of("", "-", "+").get(random.nextInt(3)));
    number.append(digits(random.nextInt(random.nextInt(4) == 0 ? 45 : 12)));
    if (random.nextInt(2) == 0) {
      number.append('.').append(digits(random.nextInt(random.nextInt(4) == 0 ? 45 : 8)));
    }
    if (random.nextInt(4) == 0) {
      number.append(random.nextBoolean() ? 'e' : 'E').append(random.nextInt(90) - 45);
    }
    return number.toString();
  }

  private String date() {
    if (random.nextInt(8) == 0) {
      return digits(3 + random.nextInt(6)) + "-" + random.nextInt(14) + "-" + random.nextInt(33);
    }
    int year = random.nextInt(4) == 0 ? random.nextInt(9999) : 1900 + random.nextInt(200);
    String format = random.nextInt(3) == 0 ? "%04d-%d-%d" : "%04d-%02d-%02d";
    return format.formatted(year, 1 + random.nextInt(12), 1 + random.nextInt(29));
  }

  private String time() {
    String format = random.nextInt(3) == 0 ? "%s%d:%d:%d" : "%s%02d:%02d:%02d";
    String separator = random.nextBoolean() ? " " : "T";
    String time =
        format.formatted(separator, random.nextInt(24), random.nextInt(60), random.nextInt(60));
    return random.nextBoolean() ? time : time + "." + digits(random.nextInt(9));
  }

  private String mutated(String text, boolean isUsual) {
    String alphabet = isUsual ? COMMON : COMMON + STRANGE;
    char other = alphabet.charAt(random.nextInt(alphabet.length()));
    int place = random.nextInt(text.length() + 1);
    String rest = text.substring(place);
    return text.substring(0, place)
        + switch (random.nextInt(3)) {
          case 0 -> other + rest;
          case 1 -> rest.isEmpty() ? "" : rest.substring(1);
          default -> rest.isEmpty() ? "" : other + rest.substring(1);
        };
  }
}
