package io.ariadne.benchmark.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * An engine in a JVM of its own. Not thread-safe. Closing it once waits until the JVM has ended.
 * When a query exceeds its time limit, the JVM prints its threads to the engine's log and is
 * killed.
 */
public final class EngineProcess implements AutoCloseable {
  /** Says that the engine's JVM has ended or was killed. */
  public static final class EndedException extends IOException {
    EndedException(String message) {
      super(message);
    }
  }

  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration STOP = Duration.ofMinutes(1);
  private static final Duration DUMP = Duration.ofSeconds(10);
  private static final Duration KILL = Duration.ofSeconds(10);
  private static final int LOG_LINES = 20;
  private static final String END = "";

  private final String engine;
  private final Process process;
  private final BlockingQueue<String> replies = new LinkedBlockingQueue<>();
  private final BufferedWriter requests;
  private final Path log;
  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, String> versions = new TreeMap<>();

  private EngineProcess(String engine, Process process, Path log) {
    this.engine = engine;
    this.process = process;
    this.log = log;
    Thread reader = new Thread(this::readReplies, "replies of " + engine);
    reader.setDaemon(true);
    reader.start();
    requests =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Starts an engine and waits until it answers. Appends to the log of an earlier process of the
   * engine.
   *
   * @param settings which engine and its share of the machine
   * @param extraClassPath jars of this engine only, at the front of the class path
   * @param tables name to folder of Parquet files
   * @param work folder for answers and logs
   */
  public static EngineProcess start(
      EngineSettings settings, List<String> extraClassPath, Map<String, Path> tables, Path work)
      throws IOException {
    Map<String, String> addresses = new LinkedHashMap<>();
    tables.forEach((name, folder) -> addresses.put(name, folder.toString()));
    return start(settings, extraClassPath, addresses, EngineStorage.LOCAL, work);
  }

  /**
   * Starts an engine and waits until it answers. Appends to the log of an earlier process of the
   * engine.
   *
   * @param settings which engine and its share of the machine
   * @param extraClassPath jars of this engine only, at the front of the class path
   * @param tables name to folder of Parquet files, a path or an address of the storage
   * @param storage how the engine reaches them
   * @param work folder for answers and logs
   */
  public static EngineProcess start(
      EngineSettings settings,
      List<String> extraClassPath,
      Map<String, String> tables,
      EngineStorage storage,
      Path work)
      throws IOException {
    Path answers = Files.createDirectories(work.resolve(settings.engine()));
    Path log = work.resolve(settings.engine() + ".log");
    // Spark takes its settings from system properties too.
    List<String> options = new ArrayList<>(settings.properties());
    storage.settings().entrySet().stream()
        .map(e -> "-Dspark.hadoop." + e.getKey() + "=" + e.getValue())
        .sorted()
        .forEach(options::add);
    List<String> command =
        ChildJvm.command(
            settings.workerHeapMegabytes(), extraClassPath, options, EngineWorker.class.getName());
    command.addAll(
        List.of(
            settings.engine(),
            String.valueOf(settings.cores()),
            String.valueOf(settings.memoryMegabytes()),
            String.valueOf(settings.poolMegabytes()),
            String.valueOf(settings.executors()),
            answers.toString()));
    tables.forEach((name, folder) -> command.add(name + "=" + folder));
    Map<String, String> environment = new LinkedHashMap<>(storage.environment());
    if (settings.isCluster()) {
      environment.putAll(SparkCluster.environment(work.resolve(settings.engine() + ".spark")));
    }
    return start(settings.engine(), command, environment, log);
  }

  /**
   * Starts a program that answers as {@link EngineWorker} does.
   *
   * @param log receives the standard error of the program
   */
  public static EngineProcess start(String engine, List<String> command, Path log)
      throws IOException {
    return start(engine, command, Map.of(), log);
  }

  private static EngineProcess start(
      String engine, List<String> command, Map<String, String> environment, Path log)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(log.getParent().toFile())
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    Process process = builder.start();
    EngineProcess started = new EngineProcess(engine, process, log);
    started
        .read(START)
        .path("versions")
        .properties()
        .forEach(e -> started.versions.put(e.getKey(), e.getValue().asText()));
    return started;
  }

  /** Returns what the engine runs on: name to version. */
  public Map<String, String> versions() {
    return versions;
  }

  /**
   * Runs a query; the reply has {@code seconds}, {@code cpuSeconds}, {@code rows}, {@code
   * resultHash}, {@code scan} or {@code error}, and {@code lostDevice} with the reason if the
   * engine has lost its GPU and uses the CPU instead.
   *
   * @param limit how long the engine may take
   * @throws EndedException when the engine ends before it answers, or takes longer
   */
  public JsonNode run(String name, String sql, Duration limit) throws IOException {
    String line = sql.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    try {
      requests.write(name + "\t" + line + "\n");
      requests.flush();
    } catch (IOException e) {
      throw ended(e);
    }
    return read(limit);
  }

  /**
   * Explains a query; the reply has {@code text}, {@code operators}, {@code accelerated}, {@code
   * transitions} and {@code fallbacks}, or {@code error}.
   */
  public JsonNode explain(String sql) throws IOException {
    return run("", sql, START);
  }

  private void readReplies() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("{")) {
          replies.add(line);
        } else {
          System.err.println(engine + ": " + line); // a message of the JVM itself
        }
      }
    } catch (IOException e) {
      replies.add(END); // a broken pipe is the end of the replies
    }
    replies.add(END);
  }

  private JsonNode read(Duration limit) throws IOException {
    String line;
    try {
      line = replies.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
      throw new InterruptedIOException("interrupted while " + engine + " ran");
    }
    if (line == null) {
      kill();
      throw new EndedException(
          "%s did not answer within %d s and was killed; its threads are in %s"
              .formatted(engine, limit.toSeconds(), log));
    }
    if (line.equals(END)) {
      replies.add(END); // for the next one who reads, such as close
      throw ended(null);
    }
    return json.readTree(line);
  }

  private EndedException ended(IOException cause) throws IOException {
    EndedException ended =
        new EndedException(engine + " ended unexpectedly; the end of " + log + ":\n" + logTail());
    if (cause != null) {
      ended.initCause(cause);
    }
    destroy();
    return ended;
  }

  /** Kills the JVM and waits for its end, so that its memory is free when the next JVM starts. */
  public void destroy() {
    process.destroyForcibly();
    try {
      process.waitFor(KILL.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Makes the JVM print its threads to the log if the JDK has jcmd, and kills it. */
  private void kill() throws IOException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    boolean isJvm = process.info().command().filter(c -> c.endsWith("java")).isPresent();
    try {
      if (isJvm && Files.isExecutable(jcmd)) {
        Process dump =
            new ProcessBuilder(jcmd.toString(), String.valueOf(process.pid()), "Thread.print")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        if (!dump.waitFor(DUMP.toSeconds(), TimeUnit.SECONDS)) {
          dump.destroyForcibly();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      destroy();
    }
  }

  private String logTail() throws IOException {
    List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
  }

  @Override
  public void close() throws IOException {
    try {
      requests.close();
      JsonNode last = read(STOP);
      if (!last.path("stopped").asBoolean()) {
        throw new IOException(engine + " did not stop cleanly: " + last);
      }
      if (last.path("liveBytes").asLong() != 0) {
        throw new IOException(engine + " left memory behind: " + last);
      }
      if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException(engine + " did not end within " + STOP.toSeconds() + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      destroy(); // no effect on a JVM that has ended
    }
  }
}
