package io.ariadne.it.sql;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests joins on a simulated device. */
class SimulatedJoinIT extends JoinIT {
  @Override
  Map<String, String> settings() {
    return with(super.settings(), "spark.ariadne.backend", "simulated");
  }

  @ParameterizedTest
  @CsvSource("true,3")
  @Override
  void joinKindsMatchSpark(String adaptive, String partitions) {
    super.joinKindsMatchSpark(adaptive, partitions);
  }

  @ParameterizedTest
  @ValueSource(strings = "true")
  @Override
  void buildsTheSmallerSide(String adaptive) {
    super.buildsTheSmallerSide(adaptive);
  }
}
