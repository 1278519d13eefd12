package io.ariadne.benchmark.workload;

import io.ariadne.benchmark.engine.QueryEngine;
import io.ariadne.benchmark.table.TableFolders;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A benchmark of one exchange: map tasks compute rows of random numbers, each of 80 bytes, reduce
 * tasks add them up. The same rows are distributed to different numbers of partitions.
 *
 * @param megabytes bytes of the rows, in millions
 * @param maps number of map tasks
 * @param partitions numbers of reduce tasks, a query each
 * @param losesExecutor whether each query also runs while an executor is killed, as a query of its
 *     own
 */
public record ExchangeWorkload(
    long megabytes, int maps, List<Integer> partitions, boolean losesExecutor) implements Workload {
  private static final int COLUMNS = 10;
  private static final long ROW_BYTES = COLUMNS * Long.BYTES;
  private static final long MEGA = 1_000_000;

  @Override
  public String title() {
    return "Exchange of " + megabytes + " MB from " + maps + " map tasks";
  }

  @Override
  public void generate(TableFolders folders) {}

  @Override
  public Map<String, Path> tables(TableFolders folders) {
    return Map.of();
  }

  @Override
  public List<BenchmarkQuery> queries() {
    return partitions.stream().map(this::query).flatMap(this::withLoss).toList();
  }

  private Stream<BenchmarkQuery> withLoss(BenchmarkQuery query) {
    BenchmarkQuery loss =
        new BenchmarkQuery(query.name() + "-loss", QueryEngine.LOSE + query.sql());
    return losesExecutor ? Stream.of(query, loss) : Stream.of(query);
  }

  private BenchmarkQuery query(int count) {
    String columns = columns("xxhash64(id, %1$d) c%1$d", ", ");
    String sql =
        "select count(*), sum(%s) from (select /*+ repartition(%d, c0) */ * from"
                .formatted(columns("c%d %% 1000", " + "), count)
            + " (select %s from range(0, %d, 1, %d)))"
                .formatted(columns, megabytes * MEGA / ROW_BYTES, maps);
    return new BenchmarkQuery("p" + count, sql);
  }

  private static String columns(String format, String separator) {
    return IntStream.range(0, COLUMNS)
        .mapToObj(format::formatted)
        .collect(Collectors.joining(separator));
  }
}
