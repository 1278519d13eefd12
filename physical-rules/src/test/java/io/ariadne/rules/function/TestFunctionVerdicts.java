package io.ariadne.rules.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.rules.function.FunctionVerdict.Outcome;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What becomes of each registered function: printed, and no fewer on Ariadne than there were. */
class TestFunctionVerdicts {
  /** Functions that stay with Spark for good reasons; 41 of Spark 4.1's. */
  private static final int MOST_OF_SPARK = 45;

  private static final int FEWEST_KERNELS = 120;

  @Test
  void everyFunctionHasAVerdict() {
    List<FunctionVerdict> verdicts = FunctionVerdicts.all();
    Map<Outcome, List<FunctionVerdict>> by =
        verdicts.stream()
            .collect(
                Collectors.groupingBy(
                    FunctionVerdict::outcome,
                    () -> new EnumMap<>(Outcome.class),
                    Collectors.toList()));
    by.forEach((outcome, of) -> System.out.println(outcome + " " + of.size()));
    System.out.println(verdicts.size() + " functions");
    for (FunctionVerdict verdict : by.get(Outcome.SPARK)) {
      System.out.println("  " + verdict.name() + ": " + verdict.note());
      assertFalse(verdict.note().isEmpty(), verdict::name);
    }
    assertTrue(by.get(Outcome.SPARK).size() <= MOST_OF_SPARK);
    assertTrue(by.get(Outcome.KERNEL).size() >= FEWEST_KERNELS);
  }

  @Test
  void verdictsAreAboutTheFunctionItself() {
    Map<String, Outcome> outcomes =
        FunctionVerdicts.all().stream()
            .collect(Collectors.toMap(FunctionVerdict::name, FunctionVerdict::outcome));
    assertEquals(Outcome.KERNEL, outcomes.get("abs"));
    assertEquals(Outcome.KERNEL, outcomes.get("sum"));
    assertEquals(Outcome.BRIDGE, outcomes.get("soundex"));
    assertEquals(Outcome.KERNEL, outcomes.get("collect_list"));
    assertEquals(Outcome.BRIDGE, outcomes.get("collect_set"));
    assertEquals(Outcome.BRIDGE, outcomes.get("count_min_sketch"));
    assertEquals(Outcome.BRIDGE, outcomes.get("bitmap_or_agg"));
    assertEquals(Outcome.CONSTANT, outcomes.get("current_date"));
    assertEquals(Outcome.SPARK, outcomes.get("explode"));
    assertEquals(Outcome.SPARK, outcomes.get("row_number"));
  }
}
