package io.ariadne.plugin;

import io.ariadne.shuffle.transport.Peer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.api.plugin.PluginContext;

/**
 * Tells executors where other executors serve their map outputs. Spark's driver has the directory;
 * executors register there and ask it. Messages have only classes of the JDK, which all class
 * loaders find.
 */
final class PeerDirectory {
  private static final String REGISTER = "ariadne.shuffle.register";
  private static final String FIND = "ariadne.shuffle.find";
  private static final int REGISTER_SIZE = 4;
  private static final int FIND_SIZE = 2;
  private static final int HOST = 2;
  private static final int PORT = 3;

  /** On Spark's driver: host and port by the id of the executor. */
  private final Map<String, List<Object>> addresses = new ConcurrentHashMap<>();

  /** Registers this executor at Spark's driver. */
  static void register(PluginContext context, String host, int port) throws IOException {
    context.send(List.of(REGISTER, context.executorID(), host, port));
  }

  /**
   * Asks Spark's driver for an executor. Blocks.
   *
   * @return empty when it has not registered, or the driver does not answer
   */
  static Optional<Peer> find(PluginContext context, String executor) {
    try {
      Object answer = context.ask(List.of(FIND, executor));
      return answer instanceof List<?> address && address.size() == 2
          ? Optional.of(new Peer(executor, (String) address.get(0), (Integer) address.get(1)))
          : Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (Exception e) { // as PluginContext declares
      return Optional.empty();
    }
  }

  /** Returns whether a message is for this directory. */
  static boolean isMessage(List<?> message) {
    return isFind(message) || isRegister(message);
  }

  private static boolean isFind(List<?> message) {
    return message.size() == FIND_SIZE && FIND.equals(message.get(0));
  }

  private static boolean isRegister(List<?> message) {
    return message.size() == REGISTER_SIZE && REGISTER.equals(message.get(0));
  }

  /**
   * Answers a message for this directory, on Spark's driver.
   *
   * @return host and port of an executor; null when it has not registered, or registers now
   */
  Object answer(List<?> message) {
    if (isFind(message)) {
      return addresses.get((String) message.get(1));
    }
    addresses.put((String) message.get(1), List.of(message.get(HOST), message.get(PORT)));
    return null;
  }
}
