package io.ariadne.plugin.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.error.EngineException;
import io.ariadne.plugin.config.MemoryBudget.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The budget follows from what is known, and its formula says from what. */
class TestMemoryBudget {
  private static final long GIB = 1L << 30;
  private static final OptionalLong NONE = OptionalLong.empty();

  @Test
  void configuredSizeWins() {
    MemoryBudget budget = budget(OptionalLong.of(3 * GIB), OptionalLong.of(GIB), NONE);
    assertEquals(3 * GIB, budget.sizeInBytes());
    assertEquals("spark.ariadne.memory.size", budget.formula());
  }

  @Test
  void smallerOfOverheadShareAndContainerRemainderWins() {
    MemoryBudget overhead = budget(NONE, OptionalLong.of(10 * GIB), OptionalLong.of(40 * GIB));
    assertEquals(7 * GIB, overhead.sizeInBytes());
    assertEquals("70 % of the memory overhead of 10240 MiB", overhead.formula());
    MemoryBudget container = budget(NONE, OptionalLong.of(10 * GIB), OptionalLong.of(10 * GIB));
    assertEquals(4 * GIB, container.sizeInBytes());
    assertEquals(
        "container limit 10240 MiB - heap 4096 MiB - Spark's off-heap 1024 MiB - margin 1024 MiB",
        container.formula());
  }

  @Test
  void shareOfTheMachineIsTheLastResort() {
    MemoryBudget budget = budget(NONE, NONE, NONE);
    assertEquals(16 * GIB, budget.sizeInBytes());
    assertEquals("25 % of the machine's 65536 MiB", budget.formula());
  }

  @Test
  void tooLittleIsRefusedWithTheFormula() {
    EngineException e =
        assertThrows(EngineException.class, () -> budget(NONE, NONE, OptionalLong.of(5 * GIB)));
    assertTrue(e.getMessage().startsWith("only 0 MiB are left for Ariadne (container limit"));
    assertTrue(e.getMessage().contains("set spark.ariadne.memory.size"));
  }

  @Test
  void containerLimitIsReadFromTheControlGroup(@TempDir Path folder) throws IOException {
    Path none = folder.resolve("none");
    Path unlimited = Files.writeString(folder.resolve("max"), "max\n");
    Path limited = Files.writeString(folder.resolve("limited"), "1073741824\n");
    assertEquals(NONE, ProcessMemory.containerLimit(List.of(none, unlimited), 64 * GIB));
    assertEquals(
        OptionalLong.of(GIB),
        ProcessMemory.containerLimit(List.of(none, unlimited, limited), 64 * GIB));
    assertEquals(NONE, ProcessMemory.containerLimit(List.of(limited), GIB));
  }

  private static MemoryBudget budget(
      OptionalLong configured, OptionalLong overhead, OptionalLong container) {
    return MemoryBudget.of(
        new Surroundings(configured, overhead, container, 4 * GIB, GIB, 64 * GIB));
  }
}
