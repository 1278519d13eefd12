package io.ariadne.plugin;

import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.PeerRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells executors where other executors serve their map outputs. Spark's driver has the directory;
 * executors register there and ask it. Messages have only classes of the JDK, which all class
 * loaders find.
 */
final class PeerDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(PeerDirectory.class);
  private static final String REGISTER = "ariadne.shuffle.register";
  private static final String FIND = "ariadne.shuffle.find";
  private static final String IS_ALIVE = "ariadne.shuffle.isAlive";
  private static final int REGISTER_SIZE = 4;
  private static final int QUESTION_SIZE = 2;
  private static final int HOST = 2;
  private static final int PORT = 3;

  /** On Spark's driver: host and port by the id of the executor. */
  private final Map<String, List<Object>> addresses = new ConcurrentHashMap<>();

  private final Predicate<String> activeExecutors;

  /**
   * Creates an empty directory.
   *
   * @param activeExecutors tells by its id whether Spark considers an executor active
   */
  PeerDirectory(Predicate<String> activeExecutors) {
    this.activeExecutors = activeExecutors;
  }

  /** Registers this executor at Spark's driver. */
  static void register(PluginContext context, String host, int port) throws IOException {
    context.send(List.of(REGISTER, context.executorID(), host, port));
  }

  /** Returns what an executor learns of this directory by asking Spark's driver. */
  static PeerRegistry of(PluginContext context) {
    return new PeerRegistry() {
      @Override
      public Optional<Peer> find(String executor) {
        return ask(context, FIND, executor) instanceof List<?> address && address.size() == 2
            ? Optional.of(new Peer(executor, (String) address.get(0), (Integer) address.get(1)))
            : Optional.empty();
      }

      @Override
      public boolean isAlive(String executor) {
        return !Boolean.FALSE.equals(ask(context, IS_ALIVE, executor));
      }
    };
  }

  /** Returns null when the driver does not answer. */
  private static Object ask(PluginContext context, String question, String executor) {
    try {
      return context.ask(List.of(question, executor));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } catch (Exception e) { // as PluginContext declares
      LOG.debug("Spark's driver does not answer {} of executor {}", question, executor, e);
      return null;
    }
  }

  /** Returns whether a message is for this directory. */
  static boolean isMessage(List<?> message) {
    return isQuestion(message, FIND) || isQuestion(message, IS_ALIVE) || isRegister(message);
  }

  private static boolean isQuestion(List<?> message, String question) {
    return message.size() == QUESTION_SIZE && question.equals(message.get(0));
  }

  private static boolean isRegister(List<?> message) {
    return message.size() == REGISTER_SIZE && REGISTER.equals(message.get(0));
  }

  /**
   * Answers a message for this directory, on Spark's driver.
   *
   * @return host and port of an executor, or whether it is alive; null when it has not registered,
   *     or registers now
   */
  Object answer(List<?> message) {
    if (isQuestion(message, FIND)) {
      return addresses.get((String) message.get(1));
    }
    if (isQuestion(message, IS_ALIVE)) {
      return activeExecutors.test((String) message.get(1));
    }
    addresses.put((String) message.get(1), List.of(message.get(HOST), message.get(PORT)));
    return null;
  }
}
