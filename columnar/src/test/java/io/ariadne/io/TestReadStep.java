package io.ariadne.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TestReadStep {
  @AfterEach
  void takeAllSteps() {
    System.clearProperty(ReadStep.PROPERTY);
  }

  @Test
  void allStepsAreTakenUnlessThePropertyNamesThem() {
    for (ReadStep step : ReadStep.values()) {
      assertTrue(step.isOn());
    }
    System.setProperty(ReadStep.PROPERTY, "footer-cache,second-requests");
    assertFalse(ReadStep.FOOTER_CACHE.isOn());
    assertTrue(ReadStep.COALESCING.isOn());
    assertFalse(ReadStep.SECOND_REQUESTS.isOn());
  }

  @Test
  void unknownStepsAreRefused() {
    System.setProperty(ReadStep.PROPERTY, "coalescing,hedging");
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, ReadStep.COALESCING::isOn);
    assertEquals(
        "ariadne.io.without has 'hedging', which is not a step;"
            + " steps are footer-cache, coalescing, second-requests",
        error.getMessage());
  }
}
