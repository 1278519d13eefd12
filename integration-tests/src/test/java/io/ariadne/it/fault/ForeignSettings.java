package io.ariadne.it.fault;

import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.internal.SQLConf;
import scala.runtime.AbstractFunction0;

/**
 * Finds code of ours that asks for SQL settings on a thread that has no query's: Spark's scheduler,
 * say, or a compute thread outside a task. {@code SQLConf.get} answers such a thread with settings
 * of no session or of any. Here it fails, and the session's end reports it.
 */
public final class ForeignSettings {
  private static final Queue<AssertionError> FOUND = new ConcurrentLinkedQueue<>();

  private ForeignSettings() {}

  /** Starts the watch; to be called after each new session, which ends it. */
  public static void watch() {
    SQLConf.setSQLConfGetter(
        new AbstractFunction0<>() {
          @Override
          public SQLConf apply() {
            return settings();
          }
        });
  }

  /** Spark's own answer; without a session only where none of our code asks. */
  private static SQLConf settings() {
    var session = SparkSession.getActiveSession();
    if (session.isDefined()) {
      return session.get().sessionState().conf();
    }
    StackTraceElement[] stack = Thread.currentThread().getStackTrace();
    if (Arrays.stream(stack).anyMatch(ForeignSettings::isOurs)) {
      AssertionError error =
          new AssertionError(
              "thread "
                  + Thread.currentThread().getName()
                  + " asks for settings and has no session");
      FOUND.add(error);
      throw error;
    }
    return SQLConf.getFallbackConf();
  }

  private static boolean isOurs(StackTraceElement frame) {
    return frame.getClassName().startsWith("io.ariadne.")
        && !frame.getClassName().startsWith("io.ariadne.it.");
  }

  /** Fails when code of ours has asked for settings on a foreign thread since the last call. */
  public static void requireNone() {
    AssertionError first = FOUND.poll();
    if (first != null) {
      FOUND.forEach(first::addSuppressed);
      FOUND.clear();
      throw first;
    }
  }
}
