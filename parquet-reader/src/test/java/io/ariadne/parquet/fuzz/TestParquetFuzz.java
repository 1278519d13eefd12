package io.ariadne.parquet.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.operator.OperatorContext;
import io.ariadne.parquet.testing.ParquetTestingFiles;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Scans damaged files in a separate process. System properties set the number of cases, their seed
 * and the folder that keeps failed ones.
 */
class TestParquetFuzz {
  private static final long CASES = Long.getLong("ariadne.fuzz.cases", 2000);
  private static final long SECONDS = 60 + CASES / 100;
  private static final String HEAP = "-Xmx512m";

  @TempDir Path temporary;

  private final long seed = Long.getLong("ariadne.fuzz.seed", System.nanoTime());

  @Test
  void damagedFilesGiveRowsOrClearErrors() throws IOException, InterruptedException {
    System.out.println(
        "replay with -Dariadne.fuzz.seed=" + seed + " -Dariadne.fuzz.cases=" + CASES);
    String kept = System.getProperty("ariadne.fuzz.folder", "");
    Path folder = kept.isEmpty() ? temporary : Files.createDirectories(Path.of(kept));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command(folder))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean hasEnded = process.waitFor(SECONDS, TimeUnit.SECONDS);
      String said = Files.readString(output);
      System.out.println(said);
      boolean isOver =
          hasEnded && (process.exitValue() == 0 || process.exitValue() == FuzzProcess.FAILED);
      if (!isOver) {
        keep(running(folder), folder);
      }
      assertTrue(hasEnded, "not over after " + SECONDS + " s, in case " + running(folder));
      assertEquals(0, process.exitValue(), "case " + running(folder) + " ran last: " + said);
      assertTrue(said.contains("ERROR=") && said.contains("ROWS="), said);
    } finally {
      process.destroyForcibly();
    }
  }

  private List<String> command(Path folder) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(HEAP);
    command.add("-XX:-CreateCoredumpOnCrash");
    command.add("-XX:ErrorFile=" + folder.resolve("crash.log"));
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(FuzzProcess.class.getName());
    command.add(Long.toString(seed));
    command.add(Long.toString(CASES));
    command.add(folder.toString());
    String testing = System.getProperty(ParquetTestingFiles.PROPERTY, "");
    if (!testing.isEmpty()) {
      command.add(new File(testing).getAbsolutePath());
    }
    return command;
  }

  /** Writes the file of a case that has crashed the process. Does not read it here. */
  private static void keep(long running, Path folder) throws IOException {
    GuardedAllocator memory = new GuardedAllocator(FuzzProcess.MAX_BYTES);
    try (Backend host = HostBackend.open()) {
      FuzzScan scan = new FuzzScan(new OperatorContext(memory, host, () -> false));
      String testing = System.getProperty(ParquetTestingFiles.PROPERTY, "");
      SoundFiles sound =
          new SoundFiles(scan, memory, folder, testing.isEmpty() ? null : Path.of(testing));
      FuzzCase ended = FuzzCase.of(running, sound.files());
      System.out.println("kept as " + Corpus.write(folder.resolve("failed"), ended));
    }
  }

  /** Returns the seed of the case that runs or ran last, 0 before the first. */
  private static long running(Path folder) throws IOException {
    Path progress = folder.resolve(FuzzProcess.PROGRESS);
    return Files.exists(progress) ? ByteBuffer.wrap(Files.readAllBytes(progress)).getLong() : 0;
  }
}
