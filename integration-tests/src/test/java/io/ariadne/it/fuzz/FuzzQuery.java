package io.ariadne.it.fuzz;

import java.util.List;
import java.util.Map;

/**
 * One query of a run and the settings it runs under: the same for the same seed and index.
 *
 * @param seed of the run
 * @param index of the query in it
 * @param node the query
 * @param settings of the session
 * @param isInLittleMemory whether there is little memory, so that spillable batches go to disk
 */
record FuzzQuery(
    long seed, long index, SqlNode node, Map<String, String> settings, boolean isInLittleMemory) {
  /** Makes a query over tables. */
  static FuzzQuery of(long seed, long index, List<FuzzTable> tables) {
    Chance chance = Chance.of(seed, index);
    Map<String, String> settings = FuzzSettings.ofSession(chance);
    boolean isAnsi = settings.get(FuzzSettings.ANSI).equals("true");
    boolean isMild = chance.percent(isAnsi ? 85 : 30);
    int depth = isAnsi ? chance.pick(0, 1, 1, 2) : chance.pick(0, 1, 1, 2, 2, 3);
    List<FuzzTable> read = tables.stream().filter(each -> !isMild || each.isMild()).toList();
    SqlNode node = new QueryGenerator(chance, read, depth).whole();
    return new FuzzQuery(seed, index, node, settings, chance.percent(10));
  }

  String sql() {
    return node.sql();
  }
}
