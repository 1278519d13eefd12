package io.ariadne.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * An engine in a JVM of its own. Used by one thread; closed once, which waits for the JVM to end.
 */
final class EngineProcess implements AutoCloseable {
  private static final int STOP_SECONDS = 60;
  private static final int LOG_LINES = 20;

  private final String engine;
  private final Process process;
  private final BufferedReader replies;
  private final BufferedWriter requests;
  private final Path log;
  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, String> versions = new TreeMap<>();

  private EngineProcess(String engine, Process process, Path log) {
    this.engine = engine;
    this.process = process;
    this.log = log;
    replies =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    requests =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Starts an engine and waits until it answers.
   *
   * @param settings which engine and its share of the machine
   * @param extraClassPath jars of this engine only, put first
   * @param tables name to folder of Parquet files
   * @param work folder for answers and logs
   */
  static EngineProcess start(
      EngineSettings settings, List<String> extraClassPath, Map<String, Path> tables, Path work)
      throws IOException {
    Path answers = Files.createDirectories(work.resolve(settings.engine()));
    Path log = work.resolve(settings.engine() + ".log");
    List<String> command =
        ChildJvm.command(settings.heapMegabytes(), extraClassPath, EngineWorker.class.getName());
    command.addAll(
        List.of(
            settings.engine(),
            String.valueOf(settings.cores()),
            String.valueOf(settings.memoryMegabytes()),
            String.valueOf(settings.poolMegabytes()),
            answers.toString()));
    tables.forEach((name, folder) -> command.add(name + "=" + folder));
    Process process =
        new ProcessBuilder(command).directory(work.toFile()).redirectError(log.toFile()).start();
    EngineProcess started = new EngineProcess(settings.engine(), process, log);
    started
        .read()
        .path("versions")
        .properties()
        .forEach(e -> started.versions.put(e.getKey(), e.getValue().asText()));
    return started;
  }

  Map<String, String> versions() {
    return versions;
  }

  /**
   * Runs a query; the reply has {@code seconds}, {@code rows}, {@code resultHash} or {@code error}.
   */
  JsonNode run(String name, String sql) throws IOException {
    String line = sql.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    requests.write(name + "\t" + line + "\n");
    requests.flush();
    return read();
  }

  /**
   * Explains a query; the reply has {@code text}, {@code operators}, {@code accelerated}, {@code
   * transitions} and {@code fallbacks}, or {@code error}.
   */
  JsonNode explain(String sql) throws IOException {
    return run("", sql);
  }

  private JsonNode read() throws IOException {
    String line = replies.readLine();
    if (line == null) {
      throw new IOException(engine + " ended unexpectedly; the end of " + log + ":\n" + logTail());
    }
    return json.readTree(line);
  }

  private String logTail() throws IOException {
    List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
  }

  @Override
  public void close() throws IOException {
    requests.close();
    try {
      JsonNode last = read();
      if (!last.path("stopped").asBoolean()) {
        throw new IOException(engine + " did not stop cleanly: " + last);
      }
      if (last.path("liveBytes").asLong() != 0) {
        throw new IOException(engine + " left memory behind: " + last);
      }
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(engine + " did not end within " + STOP_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
