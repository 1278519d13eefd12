package io.ariadne.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.executor.DeviceLossAction;
import io.ariadne.plugin.config.FatalGpuError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An executor whose GPU is lost ends where Spark starts another, and nowhere else. */
@Timeout(60)
class TestExecutorExit {
  /** The processes that end. */
  static final class Main {
    private Main() {}

    /** Ends the process; with an argument a shutdown hook never ends. */
    public static void main(String[] arguments) {
      Thread hook = new Thread(arguments.length > 0 ? Main::neverEnd : Main::endInTime);
      Runtime.getRuntime().addShutdownHook(hook);
      new ExecutorExit(arguments.length > 0 ? 100 : ExecutorExit.HALT_AFTER_MILLIS).begin();
      neverEnd();
    }

    private static void endInTime() {
      System.out.println("hook");
    }

    private static void neverEnd() {
      while (true) {
        LockSupport.park();
      }
    }
  }

  /** Returns what a process prints until it ends. */
  private static String assertEnds(String... arguments) throws IOException, InterruptedException {
    List<String> command = new java.util.ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(ExecutorExit.STATUS, process.waitFor(), output);
    return output;
  }

  @Test
  void endsAfterItsHooks() throws Exception {
    String output = assertEnds();
    assertTrue(output.contains("hook"), output);
  }

  /** Whether the hook has begun by then does not matter. */
  @Test
  void endsThoughAHookDoesNot() throws Exception {
    assertEnds("endless");
  }

  @Test
  void onlyExecutorsExit() {
    for (String master : List.of("local", "local[4]", "yarn")) {
      assertSame(
          DeviceLossAction.USE_HOST, AriadneExecutorPlugin.onLoss(FatalGpuError.FALLBACK, master));
    }
    assertSame(
        DeviceLossAction.USE_HOST, AriadneExecutorPlugin.onLoss(FatalGpuError.EXIT, "local[4]"));
    for (String master : List.of("local-cluster[1,1,1024]", "spark://host:7077", "yarn")) {
      assertEquals(
          "the executor exits with status 20 (spark.ariadne.gpu.onFatalError=exit)",
          AriadneExecutorPlugin.onLoss(FatalGpuError.EXIT, master).description());
    }
  }
}
