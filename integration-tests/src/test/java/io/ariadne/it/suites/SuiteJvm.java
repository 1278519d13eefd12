package io.ariadne.it.suites;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A process that runs suites ({@link SuiteProcess}). Kills a process without progress; its suite
 * has then failed.
 */
final class SuiteJvm implements AutoCloseable {
  /** Marks the end of the process's output; not a line of the output. */
  private static final String EOF = "\0";

  private static final int EXIT_SECONDS = 20;

  private final Path log;
  private final Process process;
  private final Writer requests;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private boolean isKilled;
  private int suites;

  /**
   * Starts the process.
   *
   * @param layout where
   * @param log gets what its tests print
   */
  SuiteJvm(SuitesLayout layout, Path log) throws IOException {
    this.log = log;
    process = layout.process(log).start();
    requests = process.outputWriter(StandardCharsets.UTF_8);
    Thread reader = new Thread(this::read, "reader of " + log.getFileName());
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      lines.lines().forEach(answers::add);
    } catch (IOException | UncheckedIOException e) {
      answers.add(Fields.line("unreadable", e));
    } finally {
      answers.add(EOF);
    }
  }

  /** Returns the names of all suites. */
  List<String> discover(int idleSeconds) throws IOException, InterruptedException {
    ask(SuiteProcess.DISCOVER);
    List<String> names = new ArrayList<>();
    while (true) {
      String line = answers.poll(idleSeconds, TimeUnit.SECONDS);
      if (line == null || line.equals(EOF)) {
        throw new IllegalStateException("the process found no suites");
      }
      List<String> answer = Fields.of(line);
      if (answer.get(0).equals(SuiteProcess.END)) {
        return names;
      }
      names.add(answer.get(1));
    }
  }

  /** Returns how many suites the process has been given. */
  int suites() {
    return suites;
  }

  /** Returns whether it can be given a suite; a process that was killed needs a moment to end. */
  boolean isAlive() {
    return !isKilled && process.isAlive();
  }

  /**
   * Runs a suite, or some of its tests.
   *
   * @param idleSeconds after which without a test's begin or end the process is killed
   * @param queue knows when the time is up, at which it is killed, too
   */
  SuiteRun run(SuiteQueue.Request request, int idleSeconds, SuiteQueue queue)
      throws InterruptedException {
    suites++;
    List<Object> fields = new ArrayList<>(List.of(request.suite(), request.settings()));
    fields.addAll(request.tests());
    SuiteAnswers run = new SuiteAnswers(request);
    try {
      ask(fields.toArray());
    } catch (IOException e) {
      kill();
      return run.failed("the process has died before: " + e);
    }
    while (!run.hasEnded()) {
      long left = queue.deadline() - System.nanoTime();
      long patience = Math.min(left, TimeUnit.SECONDS.toNanos(idleSeconds));
      String line = answers.poll(patience, TimeUnit.NANOSECONDS);
      if (line == null) {
        if (patience == left) {
          SuiteRun cut = run.cutShort(queue.recordedSeconds(request));
          kill();
          return cut;
        }
        String threads = threads();
        kill();
        return run.failed("hung: nothing for " + idleSeconds + " s" + threads);
      }
      if (line.equals(EOF)) {
        kill();
        return run.failed("the process has died");
      }
      run.add(Fields.of(line));
    }
    return run.result();
  }

  private void ask(Object... fields) throws IOException {
    requests.write(Fields.line(fields) + "\n");
    requests.flush();
  }

  /** Writes what the process's threads do beside its log, and returns where, or why not. */
  private String threads() throws InterruptedException {
    Path file = log.resolveSibling(log.getFileName() + ".threads");
    try {
      Process jcmd =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                  String.valueOf(process.pid()),
                  "Thread.print")
              .redirectErrorStream(true)
              .redirectOutput(file.toFile())
              .start();
      boolean hasEnded = jcmd.waitFor(EXIT_SECONDS, TimeUnit.SECONDS);
      jcmd.destroyForcibly();
      return (hasEnded ? "; its threads are in " : "; some of its threads are in ") + file;
    } catch (IOException e) {
      return "; its threads are unknown: " + e;
    }
  }

  private void kill() {
    isKilled = true;
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /** Ends the process. */
  @Override
  public void close() {
    try {
      requests.close();
      if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (IOException e) {
      kill(); // it had died
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
  }
}
