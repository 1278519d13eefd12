package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the gate: comparisons that prove nothing must fail. */
class VacuityGateIT extends AbstractDifferentialIT {
  private static final String DISABLE = "spark.ariadne.disable";

  @Test
  void refusesAnOperatorThatIsNotInThePlan() {
    assertThrows(
        VacuousComparisonError.class,
        () ->
            differential.check(
                "select i1 + 1 from edge where i1 > 0", LEGACY, Coverage.of(Coverage.AGGREGATE)));
  }

  @Test
  void refusesAnOperatorThatFellBack() {
    vacuous(
        "select id from edge order by id",
        with(LEGACY, DISABLE, "SortExec"),
        Coverage.of("AriadneSort"));
  }

  @Test
  void refusesAnExpressionThatUsedTheBridge() {
    Coverage claim = Coverage.of(Coverage.PROJECT).kernels("Add", "Subtract");
    String sql = "select i1 + i2, i1 - i2 from edge where i1 > 0";
    differential.check(sql, LEGACY, claim);
    VacuousComparisonError error = vacuous(sql, with(LEGACY, DISABLE, "Add"), claim);
    assertTrue(error.getMessage().contains("Add has no kernel here"), error.getMessage());
    assertTrue(error.getMessage().contains("Add was bridged without a claim"), error.getMessage());
    assertFalse(error.getMessage().contains("Subtract has"), error.getMessage());
    differential.check(sql, with(LEGACY, DISABLE, "Add"), claim.bridgedInstead("Add"));
  }

  @Test
  void refusesAnExpressionBelowABridgedExpression() {
    // A call without a kernel does not hide that its operands are bridged with it.
    Coverage claim = Coverage.of(Coverage.PROJECT).kernels("Add", "Multiply");
    String sql = "select (i1 + i2) * i2 from edge where i1 > 0";
    differential.check(sql, LEGACY, claim);
    VacuousComparisonError error = vacuous(sql, with(LEGACY, DISABLE, "Multiply"), claim);
    assertTrue(error.getMessage().contains("Add has no kernel here"), error.getMessage());
  }

  @Test
  void refusesAnExpressionThatStayedWithSpark() {
    Coverage claim = Coverage.of().kernels("Add");
    String sql = "select i1 + i2 from edge where i1 > 0";
    differential.check(sql, LEGACY, claim);
    VacuousComparisonError error =
        vacuous(sql, with(LEGACY, DISABLE, "Add,ExpressionBridge"), claim);
    assertTrue(error.getMessage().contains("Add has no kernel here"), error.getMessage());
  }

  @Test
  void expressionsCountAlsoAfterAnError() {
    Coverage claim = Coverage.of(Coverage.PROJECT).kernels("Add");
    String sql = "select l1 + 9223372036854775807 from single where l1 > 0";
    differential.check(sql, ANSI, claim);
    vacuous(sql, with(ANSI, DISABLE, "Add"), claim);
  }

  @Test
  void refusesAnExpressionThatShouldBeBridged() {
    vacuous("select i1 + 1 from edge", LEGACY, Coverage.of().bridged("Add"));
  }

  @Test
  void refusesABridgedExpressionThatNoTestClaims() {
    vacuous("select i1 + 1, soundex(c1) from edge", LEGACY, Coverage.of().kernels("Add"));
  }

  @Test
  void refusesAnAggregateThatStayedWithSpark() {
    Coverage claim = Coverage.of().aggregates("sum");
    differential.check("select sum(i1) from edge", LEGACY, claim);
    vacuous("select sum(i1) from edge", with(LEGACY, DISABLE, "Sum"), claim);
    vacuous("select count(i1) from edge", LEGACY, claim);
  }

  @Test
  void refusesANodeWithoutOutput() {
    // The other side of the union answers; the filter over no rows gives no batch.
    vacuous(
        "select id from empty where i1 > 0 union all select id from one",
        LEGACY,
        Coverage.of(Coverage.FILTER));
  }

  private VacuousComparisonError vacuous(String sql, Map<String, String> settings, Coverage claim) {
    return assertThrows(
        VacuousComparisonError.class, () -> differential.check(sql, settings, claim));
  }

  @Test
  void differenceIsReported() {
    // A query whose answer changes from run to run differs between the two runs.
    AssertionError error =
        assertThrows(
            AssertionError.class,
            () -> differential.checkHarmless("select uuid() from small", LEGACY));
    assertTrue(error.getMessage().contains("Spark:"), error.getMessage());
  }
}
