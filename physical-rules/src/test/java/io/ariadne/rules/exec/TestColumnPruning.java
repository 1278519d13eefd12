package io.ariadne.rules.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.plan.FilterNode;
import io.ariadne.plan.LimitNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ProjectNode;
import io.ariadne.plan.ScanNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fragments lose the columns that nobody above needs, and nothing else. */
class TestColumnPruning {
  private static final Schema TABLE = schema("a", "b", "c", "d", "e");
  private static final ScanNode SCAN = new ScanNode(0, 0, TABLE);

  private final FragmentBuilder builder = new FragmentBuilder();

  private static Schema schema(String... names) {
    return new Schema(
        List.of(names).stream().map(name -> new Field(name, PrimitiveType.INT64, true)).toList());
  }

  private static ColumnReference column(int index) {
    return new ColumnReference(index, PrimitiveType.INT64, true);
  }

  private static Expression sum(int left, int right, int origin) {
    return new Call(
        Function.ADD,
        List.of(column(left), column(right)),
        PrimitiveType.INT64,
        true,
        origin == ExpressionError.NO_ORIGIN ? EvaluationMode.LEGACY : EvaluationMode.ANSI,
        origin);
  }

  private static Expression isLess(int left, int right) {
    return new Call(
        Function.LESS,
        List.of(column(left), column(right)),
        PrimitiveType.BOOLEAN,
        true,
        EvaluationMode.LEGACY,
        ExpressionError.NO_ORIGIN);
  }

  private static ProjectNode select(PlanNode child, Schema schema, Expression... expressions) {
    return new ProjectNode(2, child, List.of(expressions), schema);
  }

  private static List<String> scanned(PlanNode node) {
    return leaf(node).schema().fields().stream().map(Field::name).toList();
  }

  private static PlanNode leaf(PlanNode node) {
    return node.children().isEmpty() ? node : leaf(node.children().get(0));
  }

  @Test
  void prunesColumnsOfAScan() {
    PlanNode pruned =
        ColumnPruning.prune(select(SCAN, schema("x", "y"), column(4), sum(1, 4, -1)), builder);
    assertEquals(List.of("b", "e"), scanned(pruned));
    assertEquals(List.of(1, 4), builder.columns(0));
    assertEquals(List.of(column(1), sum(0, 1, -1)), ((ProjectNode) pruned).expressions());
    assertEquals(schema("x", "y"), pruned.schema());
  }

  @Test
  void keepsColumnsOfAScansPredicate() {
    builder.filter(SCAN, isLess(0, 3));
    PlanNode pruned = ColumnPruning.prune(select(SCAN, schema("x"), column(2)), builder);
    assertEquals(List.of("a", "c", "d"), scanned(pruned));
    assertEquals(isLess(0, 2), builder.predicate(0));
    assertEquals(List.of(column(1)), ((ProjectNode) pruned).expressions());
  }

  @Test
  void prunesBelowFilterAndProjection() {
    PlanNode below = select(SCAN, schema("p", "q", "r"), column(4), sum(0, 1, -1), column(3));
    FilterNode filter = new FilterNode(3, below, isLess(0, 2));
    PlanNode pruned = ColumnPruning.prune(select(filter, schema("x"), column(2)), builder);
    FilterNode left = (FilterNode) pruned.children().get(0);
    assertEquals(schema("p", "r"), left.schema());
    assertEquals(isLess(0, 1), left.condition());
    assertEquals(List.of(column(1), column(0)), ((ProjectNode) left.child()).expressions());
    assertEquals(List.of("d", "e"), scanned(pruned));
    assertEquals(List.of(column(1)), ((ProjectNode) pruned).expressions());
  }

  /** Spark's expression is told the row as it is without pruning. */
  @Test
  void keepsTheInputOfExpressionsThatMayRaise() {
    PlanNode below = select(SCAN, schema("p", "q"), sum(0, 1, 7), column(3));
    PlanNode plan = select(below, schema("x"), column(1));
    PlanNode pruned = ColumnPruning.prune(plan, builder);
    assertSame(below, pruned.children().get(0));
    FilterNode raising = new FilterNode(3, SCAN, isLess(0, 1), 5);
    plan = select(raising, schema("x"), column(1));
    assertEquals(plan, ColumnPruning.prune(plan, builder));
  }

  @Test
  void keepsTheInputOfOtherNodes() {
    PlanNode plan = select(new LimitNode(3, SCAN, 2, 5), schema("x"), column(1));
    assertEquals(plan, ColumnPruning.prune(plan, builder));
  }
}
