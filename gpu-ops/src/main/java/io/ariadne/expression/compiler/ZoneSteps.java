package io.ariadne.expression.compiler;

import io.ariadne.expression.compiler.StepTable.Step;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A time zone's offsets from UTC in seconds, as functions of seconds that change at the zone's
 * transitions.
 *
 * <p>Source: {@link ZoneRules}. Transitions that follow a rule repeat every 400 years, which are a
 * whole number of weeks. So a table reaches 400 years beyond the last transition that does not
 * follow a rule.
 */
final class ZoneSteps {
  private static final long SECONDS_PER_DAY = Duration.ofDays(1).toSeconds();
  private static final long PERIOD = 146_097 * SECONDS_PER_DAY;
  private static final int EPOCH_YEAR = 1970;

  private final ZoneRules rules;
  private final List<ZoneOffsetTransition> transitions;
  private final long periodStart;

  private ZoneSteps(ZoneRules rules) {
    this.rules = rules;
    List<ZoneOffsetTransition> saved = rules.getTransitions();
    int lastYear =
        saved.isEmpty() ? EPOCH_YEAR : saved.get(saved.size() - 1).getDateTimeAfter().getYear();
    boolean repeats = !rules.getTransitionRules().isEmpty();
    // a year later all transitions follow rules, and no zone has one around New Year
    LocalDate start = LocalDate.of(lastYear + 2, 1, 1);
    this.periodStart = repeats ? start.toEpochDay() * SECONDS_PER_DAY : Long.MAX_VALUE;
    this.transitions = new ArrayList<>();
    long end = repeats ? periodStart + PERIOD + SECONDS_PER_DAY : Long.MAX_VALUE;
    ZoneOffsetTransition next = rules.nextTransition(Instant.MIN);
    while (next != null && next.toEpochSecond() <= end) {
      transitions.add(next);
      next = rules.nextTransition(next.getInstant());
    }
  }

  static ZoneSteps of(ZoneId zone) {
    return new ZoneSteps(zone.getRules());
  }

  /** Returns the offset of a zone without transitions, or null. */
  Long fixedOffset() {
    return transitions.isEmpty() ? (Long) (long) firstOffset() : null;
  }

  private int firstOffset() {
    return transitions.isEmpty()
        ? rules.getOffset(Instant.EPOCH).getTotalSeconds()
        : transitions.get(0).getOffsetBefore().getTotalSeconds();
  }

  /** Returns the offset by seconds since 1970-01-01 00:00:00 UTC. */
  StepTable byInstant() {
    TreeMap<Long, Long> steps = new TreeMap<>();
    for (ZoneOffsetTransition transition : transitions) {
      steps.put(transition.toEpochSecond(), seconds(transition.getOffsetAfter()));
    }
    return table(steps);
  }

  /**
   * Returns the offset by local seconds, as {@code LocalDateTime.atZone} chooses it: the earlier
   * offset where clocks were set back, and the offset before the transition where they were set
   * forward.
   */
  StepTable byLocalTime() {
    return table(localSteps());
  }

  private TreeMap<Long, Long> localSteps() {
    TreeMap<Long, Long> steps = new TreeMap<>();
    long last = Long.MIN_VALUE;
    for (ZoneOffsetTransition transition : transitions) {
      long before = seconds(transition.getOffsetBefore());
      long after = seconds(transition.getOffsetAfter());
      long key = transition.toEpochSecond() + Math.max(before, after);
      if (key <= last) {
        throw new IllegalArgumentException("transitions out of local order: " + transition);
      }
      last = key;
      steps.put(key, after);
    }
    return steps;
  }

  /**
   * Returns what to subtract from local midnight to get the instant at which the day begins, as
   * {@code LocalDate.atStartOfDay} does: where clocks were set forward over midnight, the instant
   * of the transition.
   */
  StepTable byMidnight() {
    TreeMap<Long, Long> steps = localSteps();
    for (ZoneOffsetTransition transition : transitions) {
      long instant = transition.toEpochSecond();
      long from = instant + seconds(transition.getOffsetBefore());
      long to = instant + seconds(transition.getOffsetAfter());
      long midnight = -Math.floorDiv(-from, SECONDS_PER_DAY) * SECONDS_PER_DAY;
      for (; midnight < to; midnight += SECONDS_PER_DAY) {
        steps.put(midnight, midnight - instant);
      }
    }
    return table(steps);
  }

  private StepTable table(TreeMap<Long, Long> steps) {
    List<Step> list = new ArrayList<>();
    list.add(new Step(Long.MIN_VALUE, firstOffset()));
    steps.forEach((key, value) -> list.add(new Step(key, value)));
    return new StepTable(list, periodStart, PERIOD);
  }

  private static long seconds(ZoneOffset offset) {
    return offset.getTotalSeconds();
  }
}
