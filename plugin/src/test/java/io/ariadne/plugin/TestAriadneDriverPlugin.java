package io.ariadne.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.AriadnePlugin;
import io.ariadne.error.EngineException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the driver's half checks and remembers. */
class TestAriadneDriverPlugin {
  @AfterEach
  void reset() {
    ExecutorReadiness.begin(true);
  }

  @Test
  void extensionsAreAppendedOnce() {
    String ours = AriadneExtensions.class.getName();
    assertEquals(ours, AriadneDriverPlugin.withOurs(""));
    assertEquals("a.B,c.D," + ours, AriadneDriverPlugin.withOurs(" a.B, c.D"));
    assertEquals("a.B,a.B," + ours, AriadneDriverPlugin.withOurs("a.B,a.B"));
    assertEquals(ours + ",a.B", AriadneDriverPlugin.withOurs(ours + ",a.B"));
  }

  @Test
  void planningWaitsForExecutorsWhenNotRequired() {
    AriadneDriverPlugin driver = new AriadneDriverPlugin();
    assertTrue(ExecutorReadiness.canPlan());
    ExecutorReadiness.begin(false);
    assertFalse(ExecutorReadiness.canPlan());
    driver.receive(List.of("1", true, 1L << 30));
    assertTrue(ExecutorReadiness.canPlan());
    driver.receive(List.of("2", false, 1L << 30));
    assertFalse(ExecutorReadiness.canPlan());
    driver.receive(List.of("2", true, 1L << 30));
    assertTrue(ExecutorReadiness.canPlan());
  }

  @Test
  void otherSparkLineIsRefused() {
    BuildInfo.checkSpark(BuildInfo.line() + ".9");
    EngineException e = assertThrows(EngineException.class, () -> BuildInfo.checkSpark("2.4.0"));
    assertTrue(e.getMessage().contains("does not run with Spark 2.4.0"), e.getMessage());
  }

  @Test
  void secondCopyIsRefusedWithBothPlaces(@TempDir Path folder) throws IOException {
    String name = AriadnePlugin.class.getName().replace('.', '/') + ".class";
    Path copy = folder.resolve(name);
    Files.createDirectories(copy.getParent());
    try (InputStream in = AriadnePlugin.class.getResourceAsStream("AriadnePlugin.class")) {
      Files.copy(in, copy);
    }
    ClassLoader parent = AriadnePlugin.class.getClassLoader();
    BuildInfo.checkSingle(parent);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, parent)) {
      EngineException e = assertThrows(EngineException.class, () -> BuildInfo.checkSingle(loader));
      assertTrue(e.getMessage().contains(folder.toString()), e.getMessage());
    }
  }
}
