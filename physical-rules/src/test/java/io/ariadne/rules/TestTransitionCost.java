package io.ariadne.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The cost rule decides as its documentation says. */
class TestTransitionCost {
  @Test
  void filterOverVectorisedScanPays() {
    assertTrue(new TransitionCost(TransitionCost.COMPUTE_GAIN, 0, 1, true).isWorthIt());
  }

  @Test
  void filterBetweenRowsDoesNotPay() {
    TransitionCost cost = new TransitionCost(TransitionCost.COMPUTE_GAIN, 1, 0, true);
    assertFalse(cost.isWorthIt());
    assertEquals(2, cost.addedTransitions());
    assertEquals(
        "gain 1 does not exceed 4 for 1 inputs from rows, 0 from columns, output to rows",
        cost.describe());
  }

  @Test
  void aggregationBetweenRowsPays() {
    assertTrue(new TransitionCost(TransitionCost.AGGREGATE_GAIN, 1, 0, true).isWorthIt());
  }

  @Test
  void forwardingColumnsDoesNotPay() {
    assertFalse(new TransitionCost(0, 0, 1, true).isWorthIt());
    assertFalse(new TransitionCost(0, 0, 1, false).isWorthIt());
  }
}
