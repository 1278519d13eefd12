package io.ariadne.benchmark.transfer;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The main program of one end of a transfer. It answers each line of its input with one line, and
 * ends with its input.
 *
 * <p>{@code send ARM HOST BLOCK-BYTES RATIO} answers the port at first. {@code receive ARM HOST}
 * answers {@code ready}, and each line {@code BLOCKS BLOCK-BYTES HOST:PORT...} with the nanoseconds
 * until the last block of each sender has arrived. Both answer {@code cpu} with the nanoseconds of
 * processor time that they have used.
 */
final class TransferProcess {
  private TransferProcess() {}

  /** Runs one end. */
  public static void main(String[] args) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err);
    TransferArm arm = TransferArm.of(args[1]);
    if (args[0].equals("send")) {
      Payload payload = Payload.of(Integer.parseInt(args[3]), Double.parseDouble(args[4]));
      try (TransferSender sender = arm.sender(args[2], payload)) {
        serve(answers, String.valueOf(sender.port()), null);
      }
    } else {
      try (TransferReceiver receiver = arm.receiver(args[2])) {
        serve(answers, "ready", receiver);
      }
    }
    System.exit(0); // Spark's block transfer leaves threads behind.
  }

  private static void serve(PrintStream answers, String first, TransferReceiver receiver)
      throws Exception {
    answers.println(first);
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      answers.println(line.equals("cpu") ? String.valueOf(cpuNanos()) : fetch(receiver, line));
    }
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static String fetch(TransferReceiver receiver, String line) throws Exception {
    String[] words = line.split(" ");
    if (receiver == null || words.length < 3) {
      throw new IOException("'" + line + "' is not a request");
    }
    List<TransferReceiver.Source> sources = new ArrayList<>();
    for (int i = 2; i < words.length; i++) {
      int colon = words[i].lastIndexOf(':');
      sources.add(
          new TransferReceiver.Source(
              words[i].substring(0, colon), Integer.parseInt(words[i].substring(colon + 1))));
    }
    long[] ends = receiver.fetch(sources, Integer.parseInt(words[0]), Integer.parseInt(words[1]));
    StringBuilder text = new StringBuilder();
    for (long end : ends) {
      text.append(text.isEmpty() ? "" : " ").append(end);
    }
    return text.toString();
  }
}
