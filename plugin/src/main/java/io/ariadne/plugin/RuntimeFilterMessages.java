package io.ariadne.plugin;

import io.ariadne.operator.exchange.KeyFilter;
import io.ariadne.rules.filter.FilterBoard;
import io.ariadne.rules.filter.FilterPart;
import io.ariadne.rules.filter.ProcessFilters;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.broadcast.Broadcast;

/**
 * The messages between executors and the {@link FilterBoard} of Spark's driver. They have only
 * classes of the JDK and of Spark, which all class loaders find.
 */
final class RuntimeFilterMessages {
  private static final String PART = "ariadne.filter.part";
  private static final String FIND = "ariadne.filter.find";
  private static final int PART_SIZE = 6;
  private static final int FIND_SIZE = 2;
  private static final int MAP = 2;
  private static final int MAPS = 3;
  private static final int HASHES = 4;
  private static final int IS_TOO_LARGE = 5;

  private final FilterBoard board;

  /**
   * Creates the driver's side.
   *
   * @param broadcast broadcasts the words of a filter
   */
  RuntimeFilterMessages(Function<long[], Object> broadcast) {
    this.board = new FilterBoard(broadcast);
  }

  /** Returns how an executor reaches the board. */
  static ProcessFilters.Driver driver(PluginContext context) {
    return new ProcessFilters.Driver() {
      @Override
      public ProcessFilters.Found find(long filter) throws IOException {
        return RuntimeFilterMessages.find(context, filter);
      }

      @Override
      public void send(FilterPart part) throws IOException {
        boolean isTooLarge = part.hashes() == null;
        int[][] hashes = isTooLarge ? new int[0][] : part.hashes().toArray(int[][]::new);
        context.send(List.of(PART, part.filter(), part.map(), part.maps(), hashes, isTooLarge));
      }
    };
  }

  private static ProcessFilters.Found find(PluginContext context, long filter) throws IOException {
    Object answer;
    try {
      answer = context.ask(List.of(FIND, filter));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (Exception e) { // as PluginContext declares
      throw new IOException("Spark's driver does not answer", e);
    }
    if (answer instanceof Broadcast<?> words) {
      KeyFilter found = KeyFilter.ofWords((long[]) words.value());
      return new ProcessFilters.Found(FilterBoard.State.COMPLETE, found);
    }
    return new ProcessFilters.Found(FilterBoard.State.valueOf((String) answer), null);
  }

  /** Returns whether a message is for the board. */
  static boolean isMessage(List<?> message) {
    return isPart(message) || (message.size() == FIND_SIZE && FIND.equals(message.get(0)));
  }

  private static boolean isPart(List<?> message) {
    return message.size() == PART_SIZE && PART.equals(message.get(0));
  }

  /**
   * Answers a message, on Spark's driver.
   *
   * @return the broadcast words of a filter, or the name of its state; null for a part
   */
  Object answer(List<?> message) {
    long filter = (Long) message.get(1);
    if (isPart(message)) {
      boolean isTooLarge = (Boolean) message.get(IS_TOO_LARGE);
      List<int[]> hashes = isTooLarge ? null : List.of((int[][]) message.get(HASHES));
      board.add(
          new FilterPart(filter, (Integer) message.get(MAP), (Integer) message.get(MAPS), hashes));
      return null;
    }
    FilterBoard.Answer found = board.find(filter);
    return found.state() == FilterBoard.State.COMPLETE ? found.shared() : found.state().name();
  }
}
