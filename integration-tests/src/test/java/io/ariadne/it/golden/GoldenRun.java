package io.ariadne.it.golden;

import io.ariadne.it.fault.InjectedFaults;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;

/**
 * Runs one of Spark's SQL tests in a session of its own.
 *
 * <p>Each statement runs once as it is recorded. A query runs again with Spark's folding of
 * constants switched off, and once more with columns in the place of constants, so that Ariadne's
 * operators get rows. A query's answer that is not the recorded one must be what Spark gives
 * without Ariadne under the same settings, with or without generated code for whole stages: errors
 * of intervals differ. Of rows that SQL leaves open there must be as many. What changes tables
 * cannot be asked twice: its outcomes that are not those recorded are counted ({@link
 * GoldenCounts#notAsRecorded}).
 */
final class GoldenRun {
  private static final String ENABLED = "spark.ariadne.enabled";

  private static final String WHOLE_STAGE = "spark.sql.codegen.wholeStage";

  /** Limited without an order: which of the rows that a join yields for a row come first. */
  private static final Pattern OPEN =
      Pattern.compile("ZeroAndOne ON n = current[\\s)]+SELECT .* LIMIT");

  private static final Map<String, String> UNFOLDED =
      Map.of(
          "spark.sql.optimizer.excludedRules",
          String.join(
              ",",
              List.of(
                  "org.apache.spark.sql.catalyst.optimizer.ConstantFolding",
                  "org.apache.spark.sql.catalyst.optimizer.ConstantPropagation",
                  "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation",
                  "org.apache.spark.sql.catalyst.optimizer.FoldablePropagation",
                  "org.apache.spark.sql.catalyst.optimizer.NullPropagation")));

  private final SparkSession session;
  private final List<GoldenCounts> counts;
  private final List<String> differences = new ArrayList<>();

  GoldenRun(SparkSession session, GoldenCounts... counts) {
    this.session = session;
    this.counts = List.of(counts);
  }

  /** Runs a test and returns what was answered wrongly, in words. */
  List<String> run(GoldenFile file, Map<String, String> settings) {
    settings.forEach(session.conf()::set);
    Map<String, String> columns = new TreeMap<>(UNFOLDED);
    columns.put(ColumnsForLiterals.SETTING, "true");
    for (GoldenStatement statement : file.statements()) {
      boolean isRecorded = compare(statement, Map.of());
      if (isRecorded && statement.isQuery() && !statement.isRefused()) {
        compare(statement, UNFOLDED);
        compare(statement, columns);
      }
    }
    return differences;
  }

  /** Returns whether the answer is the recorded one. */
  private boolean compare(GoldenStatement statement, Map<String, String> settings) {
    settings.forEach(session.conf()::set);
    try {
      GoldenAnswer answer = answer(statement, settings);
      if (statement.isAnsweredBy(answer)) {
        boolean isInOrder = statement.isAnsweredInOrderBy(answer);
        counts.forEach(each -> each.addRecorded(answer, isInOrder));
        if (!isInOrder) {
          System.out.println("in another order than recorded: " + statement + "\nhere: " + answer);
        }
        return true;
      }
      GoldenAnswer expected = statement.isQuery() ? withoutAriadne(statement.sql()) : answer;
      if (expected.sameAs(answer)
          || isOpen(statement.sql(), expected, answer)
          || isCompiled(statement.sql(), answer)) {
        counts.forEach(each -> each.addLikeSpark(answer, settings.isEmpty()));
        if (settings.isEmpty()) {
          System.out.println(
              "not as recorded: " + statement + "\nbut, as in Spark here: " + answer);
        }
      } else {
        differences.add(
            "%s\nwith %s\nrecorded: %s\n%s\nSpark:    %s\nAriadne:  %s\n%s"
                .formatted(
                    statement.sql(),
                    settings.keySet(),
                    statement.schema(),
                    statement.output(),
                    expected,
                    answer,
                    answer.plan()));
      }
      return false;
    } finally {
      settings.keySet().forEach(session.conf()::unset);
    }
  }

  /** Runs a statement, half of the queries with faults: what changes tables must not run twice. */
  private GoldenAnswer answer(GoldenStatement statement, Map<String, String> settings) {
    Supplier<GoldenAnswer> run = () -> GoldenAnswer.of(session, statement.sql());
    return statement.isQuery()
        ? InjectedFaults.run(
            session, statement.sql() + settings.keySet(), run, GoldenAnswer::failure)
        : run.get();
  }

  /** Returns whether SQL leaves open which rows are answered, and there are as many of them. */
  private static boolean isOpen(String sql, GoldenAnswer expected, GoldenAnswer answer) {
    return OPEN.matcher(sql).find()
        && answer.failure() == null
        && answer.schema().equals(expected.schema())
        && answer.output().lines().count() == expected.output().lines().count();
  }

  /** Returns whether Spark answers so with generated code for whole stages. */
  private boolean isCompiled(String sql, GoldenAnswer answer) {
    String usual = session.conf().get(WHOLE_STAGE);
    session.conf().set(WHOLE_STAGE, "true");
    try {
      return withoutAriadne(sql).sameAs(answer);
    } finally {
      session.conf().set(WHOLE_STAGE, usual);
    }
  }

  private GoldenAnswer withoutAriadne(String sql) {
    session.conf().set(ENABLED, "false");
    try {
      return GoldenAnswer.of(session, sql);
    } finally {
      session.conf().unset(ENABLED);
    }
  }
}
