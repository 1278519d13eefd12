package io.ariadne.benchmark.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TestTpchQueries {
  @Test
  void allQueriesAreThereAndComplete() {
    for (int query : TpchQueries.parse("all")) {
      String text = TpchQueries.text(query, 1);
      assertTrue(text.contains("select"), "q" + query);
      assertFalse(text.contains("${"), "q" + query);
    }
  }

  @Test
  void fractionOfQuery11ScalesWithOneOverTheScaleFactor() {
    assertTrue(TpchQueries.text(11, 1).contains("* 0.0001\n"));
    assertTrue(TpchQueries.text(11, 10).contains("* 0.00001\n"));
    assertTrue(TpchQueries.text(11, 0.1).contains("* 0.001\n"));
  }

  @Test
  void parsesASelection() {
    assertEquals(List.of(6, 1), TpchQueries.parse("6,1"));
    assertEquals(TpchQueries.COUNT, TpchQueries.parse("all").size());
    for (String invalid : List.of("0", "23", "x", "1,,2")) {
      assertThrows(IllegalArgumentException.class, () -> TpchQueries.parse(invalid), invalid);
    }
  }
}
