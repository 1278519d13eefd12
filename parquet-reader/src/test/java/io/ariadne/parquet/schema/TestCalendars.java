package io.ariadne.parquet.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.ariadne.kernel.parquet.CalendarRebase;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.schema.LeafConversion.CalendarUse;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;

class TestCalendars {
  private static Calendars calendars(Map<String, String> keyValues, RebaseMode mode) {
    return Calendars.of(FileSchemas.of("required int96 x;", keyValues), mode, mode, null);
  }

  @Test
  void usesTheModeForFilesWithoutACalendar() {
    Calendars corrected = calendars(Map.of(), RebaseMode.CORRECTED);
    assertSame(CalendarRebase.NONE, corrected.date());
    assertSame(CalendarRebase.NONE, corrected.timestamp());
    assertSame(CalendarRebase.NONE, corrected.int96());
    Calendars legacy = calendars(Map.of(), RebaseMode.LEGACY);
    assertSame(CalendarRebase.DATES, legacy.date());
    assertSame(ZoneRebase.of(TimeZone.getDefault().getID()), legacy.timestamp());
  }

  @Test
  void usesTheCalendarThatSparkHasWritten() {
    String version = "org.apache.spark.version";
    Calendars old = calendars(Map.of(version, "2.4.8"), RebaseMode.CORRECTED);
    assertSame(CalendarRebase.DATES, old.date());
    Calendars later = calendars(Map.of(version, "3.0.1"), RebaseMode.LEGACY);
    assertSame(CalendarRebase.NONE, later.date());
    assertSame(CalendarRebase.NONE, later.timestamp());
    assertSame(ZoneRebase.of(TimeZone.getDefault().getID()), later.int96());
    Calendars modern = calendars(Map.of(version, "4.1.3"), RebaseMode.LEGACY);
    assertSame(CalendarRebase.NONE, modern.int96());
    Calendars flagged =
        calendars(
            Map.of(
                version,
                "4.1.3",
                "org.apache.spark.legacyDateTime",
                "",
                "org.apache.spark.timeZone",
                "Europe/Berlin"),
            RebaseMode.CORRECTED);
    assertSame(CalendarRebase.DATES, flagged.date());
    assertSame(ZoneRebase.of("Europe/Berlin"), flagged.timestamp());
    assertSame(CalendarRebase.NONE, flagged.int96());
  }

  @Test
  void onlyInt96OfOtherWritersIsLocalTime() {
    FileMetadata file = FileSchemas.of("required int96 x;");
    Calendars ofParquetMr =
        Calendars.of(file, RebaseMode.CORRECTED, RebaseMode.CORRECTED, "Europe/Berlin");
    assertNull(ofParquetMr.int96Zone());
    Calendars ofOthers =
        new Calendars(
            "f", CalendarRebase.NONE, CalendarRebase.NONE, CalendarRebase.NONE, "Europe/Berlin");
    assertSame(CalendarRebase.NONE, ofOthers.of(CalendarUse.INT96));
  }

  /** Two of the tables of Spark's resource {@code julian-gregorian-rebase-micros.json}. */
  @Test
  void zoneTablesEqualSparks() {
    assertEquals(
        new ZoneRebase.Table(
            List.of(
                -62135769600L,
                -59006448000L,
                -55850688000L,
                -52694928000L,
                -46383408000L,
                -43227648000L,
                -40071888000L,
                -33760368000L,
                -30604608000L,
                -27448848000L,
                -21137328000L,
                -17981568000L,
                -14825808000L,
                -12219292800L),
            List.of(
                172800L, 86400L, 0L, -86400L, -172800L, -259200L, -345600L, -432000L, -518400L,
                -604800L, -691200L, -777600L, -864000L, 0L)),
        ZoneRebase.table(TimeZone.getTimeZone("UTC")));
    assertEquals(
        new ZoneRebase.Table(
            List.of(
                -62135773200L,
                -59006451600L,
                -55850691600L,
                -52694931600L,
                -46383411600L,
                -43227651600L,
                -40071891600L,
                -33760371600L,
                -30604611600L,
                -27448851600L,
                -21137331600L,
                -17981571600L,
                -14825811600L,
                -12219296400L,
                -2422054408L),
            List.of(
                173192L, 86792L, 392L, -86008L, -172408L, -258808L, -345208L, -431608L, -518008L,
                -604408L, -690808L, -777208L, -863608L, 392L, 0L)),
        ZoneRebase.table(TimeZone.getTimeZone("Europe/Berlin")));
  }

  /** For any instant, the table must agree with the calendars. */
  @Test
  void zoneTablesHoldBetweenTheirSwitches() {
    Random random = new Random(9);
    for (String id : List.of("America/Los_Angeles", "Asia/Kolkata", "Pacific/Apia", "+03:00")) {
      TimeZone zone = TimeZone.getTimeZone(id.startsWith("+") ? "GMT" + id : id);
      ZoneRebase.Table table = ZoneRebase.table(zone);
      long first = table.switches().get(0);
      for (int i = 0; i < 3_000; i++) {
        long second = random.nextLong(first, ZoneRebase.FIRST_MODERN_SECOND);
        assertEquals(ZoneRebase.difference(zone, second), difference(table, second), id + second);
      }
    }
  }

  private static long difference(ZoneRebase.Table table, long second) {
    int i = table.switches().size() - 1;
    while (second < table.switches().get(i)) {
      i--;
    }
    return table.differences().get(i);
  }
}
