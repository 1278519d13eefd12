package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** Tests how settings work for a user. */
class ConfigurationIT {
  @Test
  void invalidValueRefusesToStartAndNamesTheChoices() {
    String message = startUpError(Map.of("spark.ariadne.backend", "quantum"));
    assertTrue(message.contains("spark.ariadne.backend"), message);
    assertTrue(message.contains("quantum"), message);
    assertTrue(message.contains("cpu") || message.contains("host"), message);
  }

  @Test
  void unknownKeyRefusesToStartAndNamesTheNearest() {
    String message = startUpError(Map.of("spark.ariadne.enabeld", "true"));
    assertTrue(message.contains("spark.ariadne.enabeld"), message);
    assertTrue(message.contains("spark.ariadne.enabled"), message);
  }

  @Test
  void extensionsOfTheUserStay() {
    SparkSession session =
        TestingSessions.start(Map.of("spark.sql.extensions", CountingExtensions.class.getName()));
    try {
      assertEquals(3, session.sql("select 1 + 2").first().getInt(0));
      assertTrue(CountingExtensions.applied() > 0);
    } finally {
      TestingSessions.stop(session);
    }
  }

  private static String startUpError(Map<String, String> settings) {
    Throwable failure =
        assertThrows(Throwable.class, () -> TestingSessions.stop(TestingSessions.start(settings)));
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
    StringBuilder messages = new StringBuilder();
    for (Throwable t = failure; t != null; t = t.getCause()) {
      messages.append(t.getMessage()).append('\n');
    }
    return messages.toString();
  }
}
