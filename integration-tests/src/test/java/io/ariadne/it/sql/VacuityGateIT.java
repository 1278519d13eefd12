package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The gate itself: comparisons that prove nothing must fail. */
class VacuityGateIT extends AbstractDifferentialIT {
  @Test
  void testOperatorThatIsNotInThePlan() {
    assertThrows(
        VacuousComparisonError.class,
        () ->
            differential.check(
                "select i1 + 1 from edge where i1 > 0", LEGACY, Differential.AGGREGATE));
  }

  @Test
  void testOperatorThatFellBack() {
    // Sorting is Spark's: no node of ours sorts.
    assertThrows(
        VacuousComparisonError.class,
        () -> differential.check("select id from edge order by id", LEGACY, "AriadneSortExec"));
  }

  @Test
  void testDifferenceIsReported() {
    // A query whose answer changes from run to run differs between the two runs.
    AssertionError error =
        assertThrows(
            AssertionError.class, () -> differential.check("select uuid() from small", LEGACY));
    assertTrue(error.getMessage().contains("Spark:"), error.getMessage());
  }
}
