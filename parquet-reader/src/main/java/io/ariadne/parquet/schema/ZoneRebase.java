package io.ariadne.parquet.schema;

import io.ariadne.kernel.parquet.CalendarRebase;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Computes, per time zone, the tables that convert timestamps of the hybrid calendar to the
 * proleptic Gregorian one.
 *
 * <p>The JDK has both calendars: {@code java.util.Calendar} gives the local date and time that the
 * writer meant, {@code java.time} the instant of that local time. The difference is constant
 * between a few switches, which are found once per zone by looking every few days and then by
 * bisection, to the second. Spark ships such tables as a resource, made by the same rule with the
 * JDK of that time. Where the time zone database has since changed its local mean times before 1900
 * (about 40 of 600 zones), old timestamps differ by seconds. Source: Spark 4.1, {@code
 * RebaseDateTime.rebaseJulianToGregorianMicros}.
 */
final class ZoneRebase {
  /** Second from which on nothing changes in any zone: 1900-01-01T00:00Z. */
  static final long FIRST_MODERN_SECOND = -2_208_988_800L;

  /** Microsecond from which on nothing changes in any zone, {@code lastSwitchJulianTs}. */
  static final long FIRST_MODERN_MICROS = FIRST_MODERN_SECOND * 1_000_000;

  /**
   * 1582-10-01, shortly before the calendars join. Until then only Julian leap days cause switches.
   */
  private static final long GREGORIAN_START_SECOND = -12_220_416_000L;

  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long MILLIS_PER_SECOND = 1_000;
  private static final long DAY = 24 * 60 * 60;
  private static final long JULIAN_STEP = 300 * DAY;
  private static final long GREGORIAN_STEP = 3 * DAY;

  private static final Map<String, CalendarRebase> TABLES = new ConcurrentHashMap<>();

  private ZoneRebase() {}

  /** Returns the table of a zone. Zones that the JDK does not know count as UTC, as for Spark. */
  static CalendarRebase of(String zone) {
    return TABLES.computeIfAbsent(
        zone,
        id -> {
          Table table = table(TimeZone.getTimeZone(id));
          return CalendarRebase.legacy(
              micros(table.switches), micros(table.differences), FIRST_MODERN_MICROS);
        });
  }

  /**
   * The differences of a zone over time.
   *
   * @param switches ascending instants in seconds
   * @param differences seconds to add from each switch on
   */
  record Table(List<Long> switches, List<Long> differences) {}

  /** Computes the table of a zone. */
  static Table table(TimeZone zone) {
    List<Long> switches = new ArrayList<>();
    List<Long> differences = new ArrayList<>();
    long second = commonEraStart(zone);
    long difference = difference(zone, second);
    switches.add(second);
    differences.add(difference);
    while (second < FIRST_MODERN_SECOND) {
      long step = second < GREGORIAN_START_SECOND ? JULIAN_STEP : GREGORIAN_STEP;
      long next = Math.min(second + step, FIRST_MODERN_SECOND);
      long there = next == FIRST_MODERN_SECOND ? 0 : difference(zone, next);
      if (there == difference) {
        second = next;
      } else {
        second = firstChange(zone, second, next, difference);
        difference = second == FIRST_MODERN_SECOND ? 0 : difference(zone, second);
        switches.add(second);
        differences.add(difference);
      }
    }
    return new Table(switches, differences);
  }

  private static long[] micros(List<Long> seconds) {
    return seconds.stream().mapToLong(s -> s * MICROS_PER_SECOND).toArray();
  }

  /** Returns the first second after {@code from} at which the difference changes. */
  private static long firstChange(TimeZone zone, long from, long to, long difference) {
    long same = from;
    long other = to;
    while (other - same > 1) {
      long middle = same + (other - same) / 2;
      if (difference(zone, middle) == difference) {
        same = middle;
      } else {
        other = middle;
      }
    }
    return other;
  }

  private static long commonEraStart(TimeZone zone) {
    return Math.floorDiv(
        new Calendar.Builder()
            .setCalendarType("gregory")
            .setTimeZone(zone)
            .setDate(1, Calendar.JANUARY, 1)
            .build()
            .getTimeInMillis(),
        MILLIS_PER_SECOND);
  }

  /** Returns the seconds to add to an instant of the hybrid calendar. */
  static long difference(TimeZone zone, long second) {
    Calendar calendar =
        new Calendar.Builder()
            .setCalendarType("gregory")
            .setTimeZone(zone)
            .setInstant(second * MILLIS_PER_SECOND)
            .build();
    LocalDateTime local =
        LocalDateTime.of(
                calendar.get(Calendar.YEAR),
                calendar.get(Calendar.MONTH) + 1,
                1,
                calendar.get(Calendar.HOUR_OF_DAY),
                calendar.get(Calendar.MINUTE),
                calendar.get(Calendar.SECOND))
            .with(ChronoField.ERA, calendar.get(Calendar.ERA))
            .plusDays(calendar.get(Calendar.DAY_OF_MONTH) - 1L);
    ZonedDateTime zoned = local.atZone(zone.toZoneId());
    return atOverlap(zoned, calendar).toEpochSecond() - second;
  }

  /**
   * Resolves a local time that occurs twice. It is the later instant if the offset a day later is
   * the same.
   */
  private static ZonedDateTime atOverlap(ZonedDateTime zoned, Calendar calendar) {
    ZoneOffsetTransition transition =
        zoned.getZone().getRules().getTransition(zoned.toLocalDateTime());
    if (transition == null || !transition.isOverlap()) {
      return zoned;
    }
    int zoneOffset = calendar.get(Calendar.ZONE_OFFSET);
    int summerOffset = calendar.get(Calendar.DST_OFFSET);
    calendar.add(Calendar.DAY_OF_MONTH, 1);
    boolean isAfter =
        zoneOffset == calendar.get(Calendar.ZONE_OFFSET)
            && summerOffset == calendar.get(Calendar.DST_OFFSET);
    return isAfter ? zoned.withLaterOffsetAtOverlap() : zoned.withEarlierOffsetAtOverlap();
  }
}
