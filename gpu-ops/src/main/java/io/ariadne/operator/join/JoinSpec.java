package io.ariadne.operator.join;

import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Expression;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Describes a join: its kind, sides, keys, condition and output. Immutable.
 *
 * <p>A pair is a probe row and a build row whose keys are equal, none of them null, for which the
 * condition is true. Keys are equal as groups are: NaN equals NaN, -0.0 equals 0.0. A pair's
 * columns are the probe side's, then the build side's; then, with {@link JoinKind#EXISTENCE} and
 * {@link JoinKind#BUILD_EXISTENCE}, whether there is one.
 *
 * @param kind which rows the join yields
 * @param probe columns of the side whose batches stream through
 * @param build columns of the side that the hash table holds
 * @param probeKeys expressions over {@code probe} that raise no errors, without bridged calls; none
 *     for pairs of all rows
 * @param buildKeys as many over {@code build}, of the same types
 * @param condition BOOLEAN over {@code conditionColumns}, without errors and bridged calls; null
 *     for none
 * @param conditionColumns the columns of a pair that the condition reads
 * @param outputColumns the columns of a pair in the output, each at most once
 * @param output their names and types; nullable where rows may be padded with nulls
 */
public record JoinSpec(
    JoinKind kind,
    Schema probe,
    Schema build,
    List<Expression> probeKeys,
    List<Expression> buildKeys,
    Expression condition,
    List<Integer> conditionColumns,
    List<Integer> outputColumns,
    Schema output)
    implements Serializable {
  /** Copies the lists and checks. */
  public JoinSpec {
    Objects.requireNonNull(kind, "kind is null");
    probeKeys = List.copyOf(probeKeys);
    buildKeys = List.copyOf(buildKeys);
    conditionColumns = List.copyOf(conditionColumns);
    outputColumns = List.copyOf(outputColumns);
    if (probeKeys.size() != buildKeys.size()) {
      throw new IllegalArgumentException(
          probeKeys.size() + " keys for " + buildKeys.size() + " of the build side");
    }
    if (outputColumns.size() != output.columnCount()) {
      throw new IllegalArgumentException(
          outputColumns.size() + " columns for an output of " + output.columnCount());
    }
    if (outputColumns.stream().distinct().count() < outputColumns.size()) {
      throw new IllegalArgumentException("columns occur twice in " + outputColumns);
    }
    if (kind == JoinKind.NULL_AWARE_ANTI && (probeKeys.size() != 1 || condition != null)) {
      throw new IllegalArgumentException("a null-aware join has one key and no condition");
    }
    int first = kind.yieldsOnlyBuildRows() ? probe.columnCount() : 0;
    boolean hasBuildColumns = kind.yieldsPairs() || kind.yieldsOnlyBuildRows();
    int end = probe.columnCount() + (hasBuildColumns ? build.columnCount() : 0);
    for (int column : outputColumns) {
      boolean exists = kind.yieldsExistence() && column == existenceColumn(probe, build);
      if ((column < first || column >= end) && !exists) {
        throw new IllegalArgumentException("the output has no column " + column);
      }
    }
  }

  /**
   * Returns whether executions may share a build side; false when each execution marks the build
   * rows it has paired.
   */
  public boolean sharesBuild() {
    return !kind.marksBuildRows();
  }

  /** Returns everything that a table of build rows depends on. */
  public SharedBuild.Shape buildShape() {
    return new SharedBuild.Shape(build, buildKeys, kind == JoinKind.NULL_AWARE_ANTI);
  }

  /** Returns the number of the column that says whether there is a pair. */
  public static int existenceColumn(Schema probe, Schema build) {
    return probe.columnCount() + build.columnCount();
  }

  /** Returns this join with only some columns of its output. */
  public JoinSpec withOutput(List<Integer> selected) {
    List<Integer> columns = new ArrayList<>();
    List<Field> fields = new ArrayList<>();
    for (int column : selected) {
      columns.add(outputColumns.get(column));
      fields.add(output.field(column));
    }
    return new JoinSpec(
        kind,
        probe,
        build,
        probeKeys,
        buildKeys,
        condition,
        conditionColumns,
        columns,
        new Schema(fields));
  }

  /**
   * Returns this join over a probe side with one more column, the number of the row in its batch,
   * which is also the last column of the output.
   */
  JoinSpec withRowNumbers() {
    int number = probe.columnCount();
    List<Integer> columns = new ArrayList<>(shiftedFrom(number, outputColumns));
    columns.add(number);
    return new JoinSpec(
        kind,
        withNumber(probe),
        build,
        probeKeys,
        buildKeys,
        condition,
        shiftedFrom(number, conditionColumns),
        columns,
        withNumber(output));
  }

  private static Schema withNumber(Schema schema) {
    List<Field> fields = new ArrayList<>(schema.fields());
    fields.add(new Field("row", PrimitiveType.INT32, false));
    return new Schema(fields);
  }

  private static List<Integer> shiftedFrom(int first, List<Integer> columns) {
    return columns.stream().map(column -> column < first ? column : column + 1).toList();
  }

  /** Returns whether a column of a pair is the probe side's. */
  boolean isOfProbe(int column) {
    return column < probe.columnCount();
  }

  /** Returns the number within the build side of a column of a pair. */
  int buildColumn(int column) {
    return column - probe.columnCount();
  }

  /** Returns the columns the condition reads, as a schema. */
  Schema conditionSchema() {
    List<Field> fields = new ArrayList<>();
    for (int column : conditionColumns) {
      fields.add(isOfProbe(column) ? probe.field(column) : build.field(buildColumn(column)));
    }
    return new Schema(fields);
  }
}
