package io.ariadne.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ariadne.kernel.abi.KernelCatalog;
import io.ariadne.testing.LongTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writes the bundle, which holds host and emulated GPU to equal answers, and lets the replay script
 * check it and run it on the emulated library where there is a Python.
 */
@LongTest
class TestReplayBundle {

  private static final Path SCRIPT = Path.of("../dev/gpu/replay.py");
  private static final Path LIBRARY =
      Path.of("target/test-classes/io/ariadne/native/emulated/libariadne_emulated.so");

  private static final Path DRIVER =
      Path.of("target/test-classes/io/ariadne/native/driver").toAbsolutePath();

  private static final String ENDLESS = "tile program, Q6, 1025 rows";
  private static final String ABSENT = "tile program, compaction, 1023 rows";
  private static final String GOOD = "spread bits over rows";

  @TempDir static Path folder;

  private static Path bundle;

  @BeforeAll
  static void writeBundle() throws IOException {
    bundle = Path.of("target/replay-bundle.zip"); // dev/gpu/bundle.sh takes it
    WriteReplayBundle.main(new String[] {bundle.toString()});
  }

  @Test
  void bundleStaysBelowItsLimit() throws IOException {
    assertTrue(Files.size(bundle) < 60L << 20);
  }

  @Test
  void scriptFindsTheBundleIntact() throws Exception {
    String words = replay(0, "--dry-run");
    assertTrue(words.startsWith("bundle: "), words);
  }

  @Test
  void scriptFindsADamagedBundle() throws Exception {
    Path damaged = folder.resolve("damaged.zip");
    byte[] bytes = Files.readAllBytes(bundle);
    bytes[bytes.length / 2] ^= 1;
    Files.write(damaged, bytes);
    String words = run(1, damaged, "--dry-run");
    assertTrue(words.contains("is damaged"), words);
  }

  @Test
  void scriptReplaysOnTheEmulatedGpu() throws Exception {
    String words = replay(0, "--emulated", LIBRARY.toString(), "--only", "1025 rows");
    assertTrue(words.contains("equal   tile program, Q6, 1025 rows"), words);
  }

  @Test
  void scriptReplaysALaunchOfEveryKernel() throws Exception {
    String words = replay(0, "--emulated", LIBRARY.toString(), "--only", "recorded");
    KernelCatalog.FAMILIES.stream()
        .flatMap(family -> family.kernels().stream())
        .map(kernel -> "equal   recorded " + kernel.name() + ",")
        .forEach(line -> assertTrue(words.contains(line), () -> line + " in " + words));
  }

  @Test
  void scriptReplaysThroughTheDriverApi() throws Exception {
    for (String name : List.of("Q6, 1025", "compaction, 1023", "litmus look back", "recorded")) {
      String words = replay(0, "--no-speed", "--repeat", "1", "--only", name);
      assertTrue(words.contains("equal "), words);
    }
  }

  @Test
  void otherCasesRunWhenACaseHangsOrFails() throws Exception {
    String[] cases = {"--only", ENDLESS, "--only", ABSENT, "--only", GOOD};
    String words = run(1, bundleWithBadCases(), with(cases, "--no-speed", "--timeout", "10"));
    assertTrue(words.contains("HANGS   " + ENDLESS), words);
    assertTrue(words.contains("FAILED  " + ABSENT), words);
    assertTrue(words.contains("equal   " + GOOD), words);
  }

  @Test
  void otherCasesRunWhenACaseEndsItsProcess() throws Exception {
    String[] cases = {"--only", ABSENT, "--only", GOOD};
    String words = run(1, bundleWithBadCases(), with(cases, "--emulated", LIBRARY.toString()));
    assertTrue(words.contains("DIED    " + ABSENT), words);
    assertTrue(words.contains("equal   " + GOOD), words);
  }

  /** Returns a bundle with a case that has no end and one whose kernel no module has. */
  private static Path bundleWithBadCases() throws IOException {
    Path changed = folder.resolve("bad-cases.zip");
    Files.copy(bundle, changed, StandardCopyOption.REPLACE_EXISTING);
    try (FileSystem zip = FileSystems.newFileSystem(changed)) {
      Path index = zip.getPath("bundle.json");
      String json = Files.readString(index);
      json = changed(json, ENDLESS, "\"repeat\": 3", "\"repeat\": 1000000000");
      json = changed(json, ABSENT, "\"kernel\": \"tile_program\"", "\"kernel\": \"absent\"");
      Files.writeString(index, json);
    }
    return changed;
  }

  /** Replaces the first text of a case in the index. */
  private static String changed(String json, String name, String from, String to) {
    int start = json.indexOf("{\"name\": \"" + name + "\"");
    int at = json.indexOf(from, start);
    assertTrue(start >= 0 && at >= 0, name + " has no " + from);
    return json.substring(0, at) + to + json.substring(at + from.length());
  }

  private static String[] with(String[] options, String... more) {
    return Stream.concat(Stream.of(options), Stream.of(more)).toArray(String[]::new);
  }

  private static String replay(int expectedStatus, String... options) throws Exception {
    return run(expectedStatus, bundle, options);
  }

  private static String run(int expectedStatus, Path file, String... options) throws Exception {
    assumeTrue(hasPython(), "no python3 on the PATH");
    List<String> command = new ArrayList<>(List.of("python3", "-B", SCRIPT.toString()));
    command.add(file.toString());
    command.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LD_LIBRARY_PATH", DRIVER.toString());
    Process process = builder.start();
    String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(expectedStatus, process.waitFor(), words);
    return words;
  }

  private static boolean hasPython() throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
