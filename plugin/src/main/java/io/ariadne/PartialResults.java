package io.ariadne;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.plugin.config.SessionConfig;
import io.ariadne.rules.partial.QueryRounds;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The results of an aggregation while its input is still being read. The input is read in rounds,
 * in random order; after each round the rows are the exact result of the query over the part of the
 * input that has been read. Nothing is extrapolated: after a tenth of the input, counts are about a
 * tenth of the final ones.
 *
 * <pre>
 * try (PartialResults results = PartialResults.of(lines.groupBy("url").count(), 20)) {
 *   while (results.hasNext()) {
 *     PartialResults.Round round = results.next();
 *     show(round.rows(), round.share());
 *   }
 * }
 * </pre>
 *
 * <p>The rows of the last round are those of the query. Only sums and averages of floating-point
 * numbers may differ in the last digits, as they do between two runs with other partitions.
 *
 * <p>The query is an aggregation, with any filters, projections, sorts, limits, windows and further
 * aggregations above it. Below it are tables or other inputs, filters, projections, unions and
 * broadcast joins; the broadcast side of a join is complete in every round. A round reads whole
 * partitions: of a Parquet file, whole row groups. Settings, and which files are read, are those of
 * when {@link #of} was called. Each partition is read in its round: when the rows of a source
 * change between two rounds, as those of a table in a database may, the results contain rows of
 * before and of after, and may contain a row twice or not at all.
 *
 * <p>An error of a round is the error that Spark throws for the query. It frees all state. {@link
 * #next} is for one thread; {@link #close} may be called by any thread, and cancels a running
 * round, as does an interrupt.
 */
public final class PartialResults implements Iterator<PartialResults.Round>, AutoCloseable {
  private static final SessionConfig CONFIG = new SessionConfig();

  private final QueryRounds rounds;

  /**
   * The result of a round.
   *
   * @param number of the round, from 1
   * @param count of all rounds
   * @param share of the input that has been read, between 0 and 1: in bytes of files if the input
   *     is files, else in partitions; 1 in the last round
   * @param rows the result of the query over that share; the order is the query's, if it has one
   */
  public record Round(int number, int count, double share, List<Row> rows) {
    /** Returns whether these are the rows of the whole query. */
    public boolean isLast() {
      return number == count;
    }
  }

  private PartialResults(QueryRounds rounds) {
    this.rounds = rounds;
  }

  /**
   * Plans a query in rounds. The query's session must be that of an application with Ariadne and
   * its shuffle manager.
   *
   * @param query an aggregation; its own execution, if any, is not affected
   * @param rounds the most rounds, at least 1. There are fewer when the input has too few
   *     partitions for each task slot to have one in every round.
   * @return the results, to be closed
   * @throws EngineException with {@link ErrorCode#UNSUPPORTED} if the query cannot be executed in
   *     rounds; the message says why, and what to do
   */
  public static PartialResults of(Dataset<?> query, int rounds) {
    if (!isEnabled(query)) {
      throw new EngineException(
          ErrorCode.UNSUPPORTED,
          "no partial results of this query, because Ariadne is off in its session; set"
              + " spark.ariadne.enabled=true");
    }
    return new PartialResults(QueryRounds.of(query, rounds));
  }

  private static boolean isEnabled(Dataset<?> query) {
    return CONFIG.read(query.queryExecution().sparkSession().sessionState().conf()).enabled();
  }

  /** Returns whether there is another round; false after {@link #close}. */
  @Override
  public boolean hasNext() {
    return rounds.hasNext();
  }

  /**
   * Reads the input of the next round, and returns the result so far. It blocks until the rows are
   * in this process.
   *
   * @throws NoSuchElementException when there is no other round
   * @throws IllegalStateException when this is closed, or a round has failed
   */
  @Override
  public Round next() {
    QueryRounds.Result result = rounds.next();
    return new Round(result.number(), result.count(), result.share(), result.rows());
  }

  /** Cancels a running round, and frees what the rounds keep in the memory of executors. */
  @Override
  public void close() {
    rounds.close();
  }
}
