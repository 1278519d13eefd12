package io.ariadne.benchmark.cloudsort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TestCostModel {
  private static final double EXACT = 1e-9;

  @Test
  void everyPartIsPerTerabyte() {
    CostModel model = new CostModel(new Prices(0.05, 0.1, 0.02, 0.0004, 0.005));
    // A tenth of a terabyte in half an hour on 8 vCPUs.
    CostModel.Cost cost =
        model.perTerabyte(
            new CostModel.Usage(
                100_000_000_000L, 8, 1800, 73_000_000_000L, 200_000_000_000L, 50_000, 2_000));
    assertEquals(2, cost.compute(), EXACT); // 10 x 8 x 0.5 x 0.05
    assertEquals(0.05, cost.disk(), EXACT); // 10 x 73 x 0.5 / 730 x 0.1
    assertEquals(10 * 200 * 0.5 / 730 * 0.02, cost.store(), EXACT);
    assertEquals(0.3, cost.requests(), EXACT); // 10 x (50 x 0.0004 + 2 x 0.005)
    assertEquals(
        cost.compute() + cost.disk() + cost.store() + cost.requests(), cost.getTotal(), EXACT);
  }

  @Test
  void costOfLinearGrowthIsTheSame() {
    CostModel model = new CostModel(new Prices(0.05, 0.1, 0.02, 0.0004, 0.005));
    CostModel.Cost small = model.perTerabyte(new CostModel.Usage(1000, 2, 10, 0, 0, 100, 10));
    CostModel.Cost large = model.perTerabyte(new CostModel.Usage(4000, 2, 40, 0, 0, 400, 40));
    assertEquals(small.getTotal(), large.getTotal(), EXACT * small.getTotal());
  }

  @Test
  void formulaHasThePrices() {
    String formula = new CostModel(new Prices(0.05, 0.1, 0.02, 0.0004, 0.005)).formula();
    for (String price : new String[] {"0.05", "0.1", "0.02", "4.0E-4", "0.005"}) {
      assertTrue(formula.contains("x " + price), formula);
    }
  }

  @Test
  void negativePricesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Prices(-1, 0, 0, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> new Prices(0, 0, 0, Double.NaN, 0));
  }
}
