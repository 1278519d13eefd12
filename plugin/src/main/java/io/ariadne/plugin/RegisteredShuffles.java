package io.ariadne.plugin;

import io.ariadne.plugin.cleanup.StaleOutputs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.PluginContext;

/**
 * Tells executors which shuffles Spark's driver no longer has. Messages have only classes of the
 * JDK, which all class loaders find.
 */
final class RegisteredShuffles {
  private static final String QUESTION = "ariadne.shuffle.unregistered";
  private static final int QUESTION_SIZE = 2;

  private RegisteredShuffles() {}

  /** Returns how an executor asks. */
  static StaleOutputs.Driver driver(PluginContext context) {
    return shuffles -> {
      int[] ids = shuffles.stream().mapToInt(Integer::intValue).toArray();
      Object answer;
      try {
        answer = context.ask(List.of(QUESTION, ids));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      } catch (Exception e) { // as PluginContext declares
        throw new IOException("Spark's driver does not answer", e);
      }
      Set<Integer> unregistered = new HashSet<>();
      for (int id : (int[]) answer) {
        unregistered.add(id);
      }
      return unregistered;
    };
  }

  /** Returns whether a message is such a question. */
  static boolean isMessage(List<?> message) {
    return message.size() == QUESTION_SIZE && QUESTION.equals(message.get(0));
  }

  /**
   * Answers a question, on Spark's driver. Spark registers a shuffle before its map tasks begin,
   * and unregisters it when no plan refers to it.
   */
  static Object answer(List<?> message) {
    List<Integer> unregistered = new ArrayList<>();
    if (SparkEnv.get().mapOutputTracker() instanceof MapOutputTrackerMaster tracker) {
      for (int id : (int[]) message.get(1)) {
        if (!tracker.containsShuffle(id)) {
          unregistered.add(id);
        }
      }
    }
    return unregistered.stream().mapToInt(Integer::intValue).toArray();
  }
}
