package io.ariadne.benchmark.engine;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The main program of a worker JVM: reads queries from standard input, writes one JSON line per
 * answer.
 *
 * <p>Arguments: engine, cores, memory in MB, pool in MB, executors, answer folder, then a {@code
 * table=folder} per table. An input line is {@code name<TAB>sql}, in which {@code \n} is a newline
 * and two backslashes are one. A line without a name asks to explain the query, not to run it. The
 * worker ends at the end of its input. All other output of the JVM goes to standard error.
 */
final class EngineWorker {
  private static final int FIXED_ARGUMENTS = 6;
  private static final double NANOS_PER_SECOND = 1e9;

  private final ObjectMapper json = new ObjectMapper();
  private final QueryEngine engine;
  private final PrintStream replies;
  private final Path answers;

  private EngineWorker(QueryEngine engine, PrintStream replies, Path answers) {
    this.engine = engine;
    this.replies = replies;
    this.answers = answers;
  }

  /** Runs a worker until its input ends. */
  public static void main(String[] args) throws Exception {
    if (args.length < FIXED_ARGUMENTS) {
      throw new IllegalArgumentException(
          "usage: engine cores memory-MB pool-MB executors answer-folder table=folder...");
    }
    PrintStream replies = System.out;
    System.setOut(System.err);
    EngineSettings settings =
        new EngineSettings(
            args[0],
            Integer.parseInt(args[1]),
            Integer.parseInt(args[2]),
            Integer.parseInt(args[3]),
            Integer.parseInt(args[4]));
    Map<String, String> tables = new LinkedHashMap<>();
    for (String table : Arrays.asList(args).subList(FIXED_ARGUMENTS, args.length)) {
      int equals = table.indexOf('=');
      tables.put(table.substring(0, equals), table.substring(equals + 1));
    }
    EngineWorker worker;
    Map<String, Object> last = new LinkedHashMap<>();
    last.put("stopped", true);
    try (QueryEngine engine = start(settings, tables)) {
      worker = new EngineWorker(engine, replies, Path.of(args[FIXED_ARGUMENTS - 1]));
      worker.serve();
      EngineState state = engine.idleState();
      last.put("liveBytes", state.liveBytes());
      last.put("mapOutputs", state.mapOutputs());
    }
    worker.reply(last);
  }

  private static QueryEngine start(EngineSettings settings, Map<String, String> tables)
      throws Exception {
    if (settings.isSpark()) {
      int executors = settings.isCluster() ? settings.executors() : 0;
      return new SparkQueryEngine(settings.spark(), settings.isInspected(), executors, tables);
    }
    return new DuckDbQueryEngine(settings.cores(), settings.memoryMegabytes() + "MB", tables);
  }

  private void serve() throws IOException {
    reply(Map.of("versions", engine.versions()));
    BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      int tab = line.indexOf('\t');
      String name = line.substring(0, tab);
      String sql = line.substring(tab + 1).translateEscapes();
      reply(name.isEmpty() ? explanation(sql) : answer(name, sql));
    }
  }

  // An exception of a query is its result: the reply has it, and the worker continues.
  private Map<String, Object> answer(String name, String sql) {
    Map<String, Object> reply = new LinkedHashMap<>();
    try {
      engine.prepare();
      long cpuBefore = cpuNanos();
      long start = System.nanoTime();
      List<Object[]> rows = engine.run(sql);
      reply.put("seconds", (System.nanoTime() - start) / NANOS_PER_SECOND);
      if (!sql.startsWith(QueryEngine.LOSE)) { // the time of the killed process is lost
        reply.put("cpuSeconds", (cpuNanos() - cpuBefore) / NANOS_PER_SECOND);
      }
      CanonicalResult result = CanonicalResult.of(rows);
      Path file = answers.resolve(name + ".txt");
      Files.write(file, result.lines());
      Files.writeString(answers.resolve(name + ".plan.txt"), engine.lastPlan());
      reply.put("rows", rows.size());
      reply.put("resultHash", result.hash());
      reply.put("answerFile", file.toString());
      QueryEngine.Placement placement = engine.lastPlacement();
      reply.put("accelerated", placement.accelerated());
      reply.put("operators", placement.operators());
      reply.put("scan", engine.lastScan());
      reply.put("shuffle", engine.lastShuffle());
      reply.put("rounds", engine.lastRounds());
    } catch (Exception e) {
      e.printStackTrace(System.err);
      reply.put("error", String.valueOf(e.getMessage()));
    }
    addState(reply);
    return reply;
  }

  private void addState(Map<String, Object> reply) {
    try {
      EngineState state = engine.state();
      reply.put("peakBytes", state.peakBytes());
      if (state.lostDevice() != null) {
        reply.put("lostDevice", state.lostDevice());
      }
    } catch (RuntimeException e) {
      e.printStackTrace(System.err);
      reply.putIfAbsent("error", "executors do not tell their state: " + e.getMessage());
    }
  }

  /**
   * Returns the processor time of this JVM and its executors, compilers and collectors included.
   */
  private static long cpuNanos() {
    long own =
        ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    return ProcessHandle.current()
        .descendants()
        .map(child -> child.info().totalCpuDuration().orElse(Duration.ZERO))
        .mapToLong(Duration::toNanos)
        .reduce(own, Long::sum);
  }

  private Map<String, ?> explanation(String sql) {
    try {
      QueryEngine.Explanation explained = engine.explain(sql);
      return Map.of(
          "text", explained.text(),
          "operators", explained.operators(),
          "accelerated", explained.accelerated(),
          "transitions", explained.transitions(),
          "fallbacks", explained.fallbacks());
    } catch (Exception e) {
      e.printStackTrace(System.err);
      return Map.of("error", String.valueOf(e.getMessage()));
    }
  }

  private void reply(Map<String, ?> reply) throws IOException {
    replies.println(json.writeValueAsString(reply));
    replies.flush();
  }
}
