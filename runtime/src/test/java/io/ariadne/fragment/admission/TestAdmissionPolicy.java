package io.ariadne.fragment.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.fragment.admission.AdmissionPolicy.Candidate;
import io.ariadne.fragment.admission.DrainRate.Drain;
import io.ariadne.fragment.admission.DrainRate.Stage;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestAdmissionPolicy {
  private static final Candidate IDLE = new Candidate(false, true, true, 0, 10);

  private static Candidate ready(long queuedBytes) {
    return new Candidate(true, true, true, queuedBytes, 10);
  }

  private static OperatorFigures figures(double seconds, long input, long output) {
    OperatorFigures figures = new OperatorFigures();
    figures.add((long) (seconds * 1e9), input, output);
    return figures;
  }

  @Test
  void startsTheSourceWhileTheBudgetCoversIt() {
    List<Candidate> chain = List.of(ready(90), ready(5), ready(3));
    assertEquals(0, AdmissionPolicy.optimistic(chain, 10, false));
    assertEquals(2, AdmissionPolicy.optimistic(chain, 9, false));
  }

  @Test
  void startsTheSourceIfNothingIsHeld() {
    List<Candidate> chain = List.of(ready(0), IDLE, IDLE);
    assertEquals(0, AdmissionPolicy.optimistic(chain, 9, true));
    assertEquals(AdmissionPolicy.NONE, AdmissionPolicy.optimistic(chain, 9, false));
  }

  @Test
  void prefersTheLeastQueuedOutput() {
    assertEquals(1, AdmissionPolicy.pessimistic(List.of(ready(9), ready(1), ready(2))));
    assertEquals(0, AdmissionPolicy.pessimistic(List.of(ready(0), ready(1), ready(2))));
    assertEquals(2, AdmissionPolicy.pessimistic(List.of(ready(1), ready(1), ready(1))));
  }

  @Test
  void skipsOperatorsWithoutInputSlotOrSpace() {
    Candidate noSlot = new Candidate(true, false, true, 0, 10);
    Candidate noSpace = new Candidate(true, true, false, 0, 10);
    assertEquals(AdmissionPolicy.NONE, AdmissionPolicy.pessimistic(List.of(IDLE, noSlot, noSpace)));
    assertEquals(1, AdmissionPolicy.optimistic(List.of(noSlot, ready(50), noSpace), 100, false));
  }

  /** The paper's example: 12 s on 6 slots, which doubles the data, then 2 s on 4 slots. */
  @Test
  void addsTheTimesOfStages() {
    List<Stage> stages =
        List.of(
            new Stage(figures(12, 100, 200), 6, "CPU"), new Stage(figures(2, 100, 0), 4, "GPU"));
    assertEquals(3, DrainRate.secondsPerPartition(100, stages, Drain.SUM), 1e-9);
    assertEquals(2, DrainRate.secondsPerPartition(100, stages, Drain.BOTTLENECK), 1e-9);
    assertEquals(6, DrainRate.secondsPerPartition(200, stages, Drain.SUM), 1e-9);
  }

  @Test
  void addsTheTimesOfStagesThatShareSlots() {
    List<Stage> stages =
        List.of(
            new Stage(figures(12, 100, 200), 6, "CPU"), new Stage(figures(2, 100, 0), 4, "CPU"));
    assertEquals(3, DrainRate.secondsPerPartition(100, stages, Drain.BOTTLENECK), 1e-9);
  }

  @Test
  void expectsNothingOfStagesWithoutTasks() {
    List<Stage> stages = List.of(new Stage(new OperatorFigures(), 1, "CPU"));
    assertEquals(Double.POSITIVE_INFINITY, DrainRate.secondsPerPartition(100, stages, Drain.SUM));
  }

  @Test
  void forgetsOldTasks() {
    OperatorFigures figures = figures(1e-9, 1, 1);
    for (int i = 0; i < 64; i++) {
      figures.add(5, 6, 7);
    }
    assertEquals(5, figures.meanNanos());
    assertEquals(6, figures.meanInputBytes());
    assertEquals(7, figures.meanOutputBytes());
  }
}
