package io.ariadne.fragment.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.fragment.admission.DrainRate.Drain;
import io.ariadne.fragment.admission.StreamingSimulation.Arm;
import io.ariadne.fragment.admission.StreamingSimulation.Policy;
import org.junit.jupiter.api.Test;

/** The ratios of the memory sweep of the streaming batch model (E7), in virtual time. */
class TestStreamingSimulation {
  private static final long MB = 1_000_000;

  private static Arm full(long megabytes) {
    return Arm.of(Policy.OPTIMISTIC, Drain.BOTTLENECK, megabytes * MB);
  }

  private static Arm pessimistic(long megabytes) {
    return Arm.of(Policy.PESSIMISTIC, Drain.NONE, megabytes * MB);
  }

  private static double seconds(Arm arm) {
    return StreamingSimulation.run(arm).seconds();
  }

  /** Returns how much longer an arm takes than the full policy with the same memory. */
  private static double ratio(Arm arm) {
    return seconds(arm) / seconds(full(arm.memoryBytes() / MB));
  }

  @Test
  void staysNearTheOptimumWithinTheMemory() {
    for (long megabytes = 300; megabytes <= 800; megabytes += 100) {
      StreamingSimulation.Outcome outcome = StreamingSimulation.run(full(megabytes));
      double optimum = outcome.seconds() / StreamingSimulation.bound();
      assertTrue(optimum >= 1 && optimum < 1.1, megabytes + " MB: " + optimum);
      assertTrue(outcome.peakBytes() <= megabytes * MB, outcome.toString());
    }
  }

  @Test
  void losesTheOverlapInStages() {
    for (long megabytes = 300; megabytes <= 800; megabytes += 100) {
      double ratio = ratio(Arm.of(Policy.STAGED, Drain.NONE, megabytes * MB));
      assertTrue(ratio > 1.5, megabytes + " MB: " + ratio);
    }
  }

  @Test
  void needsDynamicPartitionsWhenMemoryIsShort() {
    assertTrue(ratio(full(300).withStaticPartitions()) > 2);
    assertTrue(ratio(full(400).withStaticPartitions()) > 1.2);
    assertTrue(ratio(full(700).withStaticPartitions()) < 1.1);
  }

  /** Where the paper's executors ran out of memory, one task runs at a time. */
  @Test
  void runsOneTaskAtATimeIfCopiesOfStaticPartitionsFillTheMemory() {
    assertEquals(160, seconds(full(400).withStaticPartitions().withCopies(2)), 1e-9);
    assertTrue(ratio(full(500).withStaticPartitions().withCopies(2)) > 2.5);
  }

  @Test
  void isSlowerWithSlotsForOneStage() {
    for (long megabytes = 300; megabytes <= 800; megabytes += 100) {
      double ratio = ratio(full(megabytes).withSlots(4, 4));
      assertTrue(ratio > 1.2 && ratio < 1.35, megabytes + " MB: " + ratio);
    }
  }

  @Test
  void gainsByLookingAheadOnlyWhenMemoryIsShort() {
    assertTrue(ratio(pessimistic(120)) > 1.5);
    assertTrue(ratio(pessimistic(150)) > 1.2);
    assertEquals(1, ratio(pessimistic(300)), 0.05);
    assertEquals(1, ratio(Arm.of(Policy.COUNTER, Drain.SUM, 120 * MB)), 0.05);
  }

  @Test
  void gainsNothingByLookingAheadWhenTasksAreSmall() {
    for (long megabytes = 150; megabytes <= 800; megabytes += 50) {
      double ahead = seconds(full(megabytes).withSmallLoads());
      assertTrue(seconds(pessimistic(megabytes).withSmallLoads()) <= ahead, megabytes + " MB");
    }
  }

  @Test
  void repeatsExactly() {
    assertEquals(StreamingSimulation.run(full(300)), StreamingSimulation.run(full(300)));
  }
}
