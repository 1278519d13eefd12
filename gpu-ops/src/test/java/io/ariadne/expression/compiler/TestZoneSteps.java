package io.ariadne.expression.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tables of every time zone of the JDK against java.time, about each transition and far away. */
class TestZoneSteps {
  private static final long SECONDS_PER_DAY = 86_400;
  private static final long FURTHEST = Long.MAX_VALUE / 1_000_000;

  private final Random random = new Random(Long.getLong("ariadne.test.seed", 0L));

  @Test
  void stepsEqualTheRulesOfEveryZone() {
    for (String id : ZoneId.getAvailableZoneIds()) {
      check(ZoneId.of(id));
    }
    check(ZoneOffset.ofHours(18));
    check(ZoneOffset.ofHoursMinutesSeconds(-17, -59, -59));
  }

  private void check(ZoneId zone) {
    ZoneSteps steps = ZoneSteps.of(zone);
    ZoneRules rules = zone.getRules();
    StepTable byInstant = steps.byInstant();
    StepTable byLocalTime = steps.byLocalTime();
    StepTable byMidnight = steps.byMidnight();
    for (long second : seconds(rules)) {
      int offset = rules.getOffset(Instant.ofEpochSecond(second)).getTotalSeconds();
      assertEquals(offset, valueAt(byInstant, second), () -> zone + " at " + second);
      LocalDateTime local = LocalDateTime.ofEpochSecond(second + offset, 0, ZoneOffset.UTC);
      checkLocal(zone, byLocalTime, local);
      LocalDate day = local.toLocalDate();
      long midnight = day.toEpochDay() * SECONDS_PER_DAY;
      assertEquals(
          day.atStartOfDay(zone).toEpochSecond(),
          midnight - valueAt(byMidnight, midnight),
          () -> zone + " on " + day);
    }
  }

  private static void checkLocal(ZoneId zone, StepTable table, LocalDateTime local) {
    long second = local.toEpochSecond(ZoneOffset.UTC);
    assertEquals(
        local.atZone(zone).toEpochSecond(),
        second - valueAt(table, second),
        () -> zone + " at local " + local);
  }

  /** Both sides of transitions, a day about them, and any time within 64-bit microseconds. */
  private List<Long> seconds(ZoneRules rules) {
    List<Long> seconds = new ArrayList<>();
    ZoneOffsetTransition transition = rules.nextTransition(Instant.MIN);
    for (int i = 0; transition != null && i < 400; i++) {
      long at = transition.toEpochSecond();
      long length = Math.abs(transition.getDuration().getSeconds());
      for (long near : new long[] {-SECONDS_PER_DAY, -length, -1, 0, 1, length, 43_200}) {
        seconds.add(at + near);
        seconds.add(at + near - 1);
      }
      boolean isFar = random.nextInt(3) == 0 && i > 300;
      Instant from =
          isFar
              ? Instant.ofEpochSecond(random.nextLong(FURTHEST - 1_000_000_000L))
              : transition.getInstant();
      transition = rules.nextTransition(from);
    }
    for (int i = 0; i < 200; i++) {
      seconds.add(random.nextLong(-FURTHEST, FURTHEST));
    }
    return seconds;
  }

  private static long valueAt(StepTable table, long argument) {
    long at =
        argument < table.periodStart()
            ? argument
            : table.periodStart() + (argument - table.periodStart()) % table.period();
    List<StepTable.Step> steps = table.steps();
    int low = 0;
    int high = steps.size();
    while (high - low > 1) { // the last step that is not above
      int middle = (low + high) >>> 1;
      if (steps.get(middle).key() > at) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return steps.get(low).value();
  }
}
