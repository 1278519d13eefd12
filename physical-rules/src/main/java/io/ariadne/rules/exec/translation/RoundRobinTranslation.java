package io.ariadne.rules.exec.translation;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.RoundRobinNode;
import io.ariadne.plan.SortNode;
import io.ariadne.rules.expression.ColumnTypes;
import io.ariadne.rules.expression.ConversionScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Murmur3Hash;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.XxHash64;

/**
 * Translates Spark's {@code RoundRobinPartitioning}.
 *
 * <p>A repeated task must send every row to the same partition as before, although its input rows
 * may have another order then: reducers may have read a part of its first output. For that Spark
 * sorts rows by their bytes ({@code spark.sql.execution.sortBeforeRepartition}). Ariadne sorts rows
 * by 96 bits of hashes, which include nulls. So two rows can change places only if they are equal,
 * differ by the sign of a zero or the bits of a NaN, or collide in both hashes: a probability of
 * one in 10^11 for 10^9 different rows of a task. The two hash functions are different, because an
 * attacker can make values that collide in one function for all seeds.
 */
final class RoundRobinTranslation {
  private static final int SEED = 42;

  private RoundRobinTranslation() {}

  /**
   * Translates the numbering of rows.
   *
   * @param partitions number of partitions
   * @param input the child's columns
   * @param child the child's plan
   * @param numbers gives plan nodes their numbers
   * @param scope settings and replay table
   * @return a plan whose output has the number of the partition in one more column
   */
  static NodeConversion convert(
      int partitions,
      List<Attribute> input,
      PlanNode child,
      IntSupplier numbers,
      ConversionScope scope) {
    Optional<String> reason = reasonAgainst(input);
    if (reason.isPresent()) {
      return NodeConversion.failed(reason.get());
    }
    if (input.isEmpty()) { // all rows are equal
      return NodeConversion.of(new RoundRobinNode(numbers.getAsInt(), child, 0, partitions));
    }
    return SortTranslation.convertKeyed(
        order(input),
        input,
        child,
        numbers,
        scope,
        (keyed, keys) ->
            new RoundRobinNode(
                numbers.getAsInt(),
                new SortNode(numbers.getAsInt(), keyed, keys),
                input.size(),
                partitions));
  }

  /** Hashes leave nulls within values out. */
  private static Optional<String> reasonAgainst(List<Attribute> input) {
    return input.stream()
        .filter(column -> ColumnTypes.isNested(column.dataType()))
        .map(
            column ->
                "rows with the column %s, which is %s, cannot be told apart by their hashes"
                    .formatted(column.name(), column.dataType().sql()))
        .findFirst();
  }

  /** Returns an order in which rows that differ have different places. */
  static List<SortOrder> order(List<? extends Expression> input) {
    List<Expression> values = new ArrayList<>();
    for (Expression column : input) {
      values.add(column);
      if (column.nullable()) {
        values.add(new IsNull(column));
      }
    }
    return List.of(
        ascending(new XxHash64(ScalaCollections.seq(values), SEED)),
        ascending(new Murmur3Hash(ScalaCollections.seq(values), SEED)));
  }

  private static SortOrder ascending(Expression key) {
    return new SortOrder(
        key, Ascending$.MODULE$, NullsFirst$.MODULE$, ScalaCollections.seq(List.of()));
  }
}
