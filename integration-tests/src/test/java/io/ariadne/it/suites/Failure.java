package io.ariadne.it.suites;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a test failed with, as text of bounded length. */
final class Failure {
  private static final int LONGEST_MESSAGE = 6000;
  private static final int FRAMES = 12;
  private static final int MOST_CAUSES = 5;

  /** What an error of ours says, or that a test took it for an error of Spark's. */
  private static final Pattern NO_MEMORY =
      Pattern.compile("no [A-Z]+ memory left for|EngineException cannot be cast to class");

  private Failure() {}

  /** Returns class, message and first frames of an error and of what caused it. */
  static String describe(Throwable error) {
    StringBuilder text = new StringBuilder();
    Throwable each = error;
    for (int i = 0; each != null && i < MOST_CAUSES; i++) {
      text.append(i == 0 ? "" : "\ncaused by ").append(each.getClass().getName()).append(": ");
      text.append(shortened(String.valueOf(each.getMessage()))).append('\n');
      text.append(
          Arrays.stream(each.getStackTrace())
              .filter(frame -> !frame.getClassName().startsWith("org.scalatest."))
              .limit(FRAMES)
              .map(frame -> "    at " + frame)
              .collect(Collectors.joining("\n")));
      each = each.getCause();
    }
    return text.toString();
  }

  private static String shortened(String message) {
    return message.length() <= LONGEST_MESSAGE
        ? message
        : message.substring(0, LONGEST_MESSAGE / 2)
            + "\n...\n"
            + message.substring(message.length() - LONGEST_MESSAGE / 2);
  }

  /**
   * Returns whether an error says that there was no memory, or tells of a task that said so, of
   * whose error Spark, or an assertion, sometimes keeps the text only.
   */
  static boolean isOfRefusedMemory(Throwable error) {
    for (Throwable each = error; each != null; each = each.getCause()) {
      if (each instanceof EngineException engine) {
        return engine.code() == ErrorCode.OUT_OF_MEMORY;
      }
      String message = String.valueOf(each.getMessage());
      if (NO_MEMORY.matcher(message).find()) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether an error says that a table is there already, or its folder. */
  static boolean isOfTableLeft(Throwable error) {
    return String.valueOf(error.getMessage())
        .matches("(?s)\\[(TABLE_OR_VIEW|LOCATION)_ALREADY_EXISTS].*");
  }
}
