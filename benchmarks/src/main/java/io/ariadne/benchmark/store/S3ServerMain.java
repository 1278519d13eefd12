package io.ariadne.benchmark.store;

import java.io.IOException;
import java.lang.reflect.Method;

/**
 * The main program of the server's JVM: starts s3proxy with the given arguments and ends when its
 * standard input does, that is with the process that has started it.
 */
final class S3ServerMain {
  private static final String SERVER = "org.gaul.s3proxy.Main";

  private S3ServerMain() {}

  /** Starts the server. */
  public static void main(String[] args) throws Exception {
    Thread watcher = new Thread(S3ServerMain::endWithInput, "end of input");
    watcher.setDaemon(true);
    watcher.start();
    // By name: its classes are on the class path of this JVM only.
    Method server = Class.forName(SERVER).getMethod("main", String[].class);
    server.invoke(null, (Object) args);
  }

  private static void endWithInput() {
    try {
      int read = System.in.read();
      while (read >= 0) {
        read = System.in.read();
      }
    } catch (IOException e) {
      System.err.println("standard input: " + e); // lost with the process at its other end
    }
    Runtime.getRuntime().halt(0);
  }
}
