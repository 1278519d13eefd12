package io.ariadne.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestRunTestClasses {

  /** Run by the tests below alone: Surefire leaves nested classes that are not inner ones out. */
  static class Mixed {
    @Test
    void passes() {}

    @Test
    void fails() {
      fail("a \"reason\"\n");
    }

    @Test
    void isAborted() {
      abort("no device");
    }

    @Test
    @Disabled("not today")
    void isDisabled() {}
  }

  static class Good {
    @Test
    void passes() {}
  }

  static class HalfOfPair {
    @Test
    void fails() {
      fail("half \ud83d of a pair");
    }
  }

  static class Empty {}

  @TempDir private Path folder;

  @Test
  void everyTestIsCountedAndFailuresAreNamed() {
    RunTestClasses.Outcomes outcomes = run(Mixed.class);
    assertFalse(outcomes.isGood());
    String json = outcomes.json();
    assertTrue(
        json.contains("{\"ABORTED\": 1, \"FAILED\": 1, \"SKIPPED\": 1, \"SUCCESSFUL\": 1}"), json);
    assertTrue(json.contains("fails()"), json);
    assertTrue(json.contains("a \\\"reason\\\"\\u000a"), json);
    assertTrue(json.contains("no device"), json);
    assertTrue(json.contains("not today"), json);
  }

  @Test
  void runPassesOnlyWhenATestPassed() {
    assertTrue(run(Good.class).isGood());
    RunTestClasses.Outcomes none = run(Empty.class);
    assertFalse(none.isGood());
    assertEquals("{\"counts\": {}", none.json().lines().findFirst().orElse("").replace(",", ""));
  }

  @Test
  void logNamesATestBeforeItEnds() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    RunTestClasses.run(List.of(Good.class.getName()), out, report());
    String name = Good.class.getName() + " passes()";
    assertEquals(
        List.of("starts " + name, "SUCCESSFUL " + name),
        bytes.toString(StandardCharsets.UTF_8).lines().toList());
  }

  @Test
  void writesTheReportAfterEachTest() throws IOException {
    run(HalfOfPair.class);
    String json = Files.readString(report());
    assertTrue(json.contains("half ? of a pair"), json);
  }

  private Path report() {
    return folder.resolve("report.json");
  }

  private RunTestClasses.Outcomes run(Class<?> tests) {
    return RunTestClasses.run(
        List.of(tests.getName()), new PrintStream(OutputStream.nullOutputStream()), report());
  }
}
