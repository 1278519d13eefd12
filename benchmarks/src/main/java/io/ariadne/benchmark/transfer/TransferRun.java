package io.ariadne.benchmark.transfer;

import io.ariadne.benchmark.engine.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One receiver and its senders, in processes of their own. Not thread-safe. */
public final class TransferRun implements AutoCloseable {
  private static final int HEAP_MEGABYTES = 512;
  private static final int STOP_SECONDS = 20;
  private static final String LOGGING = "-Dlog4j2.configurationFile=log4j2-benchmark.properties";
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<End> senders = new ArrayList<>();
  private final List<String> sources = new ArrayList<>();
  private final int blockBytes;
  private End receiver;

  /**
   * What one transfer took.
   *
   * @param seconds until the last block of each sender was there
   * @param cpuSeconds processor time of all processes
   */
  public record Result(double[] seconds, double cpuSeconds) {}

  /** A process that answers lines. */
  private static final class End implements AutoCloseable {
    private final Process process;
    private final PrintWriter requests;
    private final BufferedReader answers;

    End(List<String> command) throws IOException {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      requests =
          new PrintWriter(
              new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8), true);
      answers =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    String answer() throws IOException {
      String line = answers.readLine();
      if (line == null) {
        throw new IOException("an end of the transfer has ended; its messages are above");
      }
      return line;
    }

    String ask(String request) throws IOException {
      requests.println(request);
      return answer();
    }

    @Override
    public void close() {
      requests.close();
      try {
        process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      process.destroyForcibly();
    }
  }

  private TransferRun(int blockBytes) {
    this.blockBytes = blockBytes;
  }

  /**
   * Starts the processes.
   *
   * @param arm what moves the blocks, the name of a {@link TransferArm}
   * @param links a sender at the other end of each
   * @param plugin the jar with Ariadne
   * @param blockBytes bytes of a block
   * @param ratio how far codecs compress a block
   */
  public static TransferRun start(
      String arm, List<Links.Link> links, List<String> plugin, int blockBytes, double ratio)
      throws IOException {
    TransferRun run = new TransferRun(blockBytes);
    try {
      for (Links.Link link : links) {
        List<String> send =
            program(plugin, "send", arm, link.peer(), String.valueOf(blockBytes), "" + ratio);
        End sender = new End(link.command(send));
        run.senders.add(sender);
        run.sources.add(link.peer() + ":" + sender.answer());
      }
      run.receiver = new End(program(plugin, "receive", arm, links.get(0).host()));
      run.receiver.answer();
      return run;
    } catch (IOException | RuntimeException e) {
      run.close();
      throw e;
    }
  }

  private static List<String> program(
      List<String> plugin, String end, String arm, String... arguments) {
    List<String> command =
        ChildJvm.command(HEAP_MEGABYTES, plugin, List.of(LOGGING), TransferProcess.class.getName());
    command.addAll(List.of(end, arm));
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  /**
   * Moves blocks from all senders.
   *
   * @param blocks blocks of each
   */
  public Result move(int blocks) throws IOException {
    double before = cpuSeconds();
    String[] ends =
        receiver.ask(blocks + " " + blockBytes + " " + String.join(" ", sources)).split(" ");
    double cpu = cpuSeconds() - before;
    double[] seconds =
        Arrays.stream(ends).mapToDouble(end -> Long.parseLong(end) / NANOS_PER_SECOND).toArray();
    return new Result(seconds, cpu);
  }

  private double cpuSeconds() throws IOException {
    double sum = Long.parseLong(receiver.ask("cpu"));
    for (End sender : senders) {
      sum += Long.parseLong(sender.ask("cpu"));
    }
    return sum / NANOS_PER_SECOND;
  }

  @Override
  public void close() {
    if (receiver != null) {
      receiver.close();
    }
    senders.forEach(End::close);
  }
}
