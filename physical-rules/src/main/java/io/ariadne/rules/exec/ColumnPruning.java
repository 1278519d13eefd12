package io.ariadne.rules.exec;

import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.Call;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionColumns;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Member;
import io.ariadne.expression.compiler.TileProgramCompiler;
import io.ariadne.plan.FilterNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ProjectNode;
import io.ariadne.plan.ScanNode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Removes columns from a fragment that no node above reads: columns of scans, and of the
 * projections above them. Spark does so for whole queries; this class does it for a fragment that
 * is run for some of its columns, such as the sample of keys of an exchange.
 *
 * <p>A node that may raise keeps its whole input, because Spark's expression is replayed on the
 * whole row. A node that is not a scan, a filter or a projection also keeps its whole input.
 */
final class ColumnPruning {
  private final FragmentBuilder builder;

  private ColumnPruning(FragmentBuilder builder) {
    this.builder = builder;
  }

  /**
   * Returns a plan with the same output and fewer columns below.
   *
   * @param root the fragment; its scans are the builder's
   * @param builder learns which columns its scans return
   */
  static PlanNode prune(PlanNode root, FragmentBuilder builder) {
    BitSet all = new BitSet();
    all.set(0, root.schema().columnCount());
    return new ColumnPruning(builder).prune(root, all).node();
  }

  /**
   * A node without some columns.
   *
   * @param node the node with its remaining columns
   * @param kept the former numbers of these columns, in ascending order
   */
  private record Pruned(PlanNode node, List<Integer> kept) {
    /** Returns a node that keeps all its columns. */
    static Pruned whole(PlanNode node) {
      List<Integer> all = new ArrayList<>();
      for (int i = 0; i < node.schema().columnCount(); i++) {
        all.add(i);
      }
      return new Pruned(node, all);
    }

    /** Converts an expression over the former columns to one over the remaining columns. */
    Expression renumbered(Expression expression) {
      return ExpressionColumns.renumber(expression, kept);
    }
  }

  /**
   * Prunes a node.
   *
   * @param needed columns of its output that are read; others may stay
   */
  private Pruned prune(PlanNode node, BitSet needed) {
    if (node instanceof ScanNode scan) {
      return prune(scan, needed);
    }
    if (node instanceof FilterNode filter && !mayRaise(filter)) {
      return prune(filter, needed);
    }
    if (node instanceof ProjectNode project && !mayRaise(project)) {
      return prune(project, needed);
    }
    return Pruned.whole(node);
  }

  private static boolean mayRaise(FilterNode filter) {
    return filter.origin() != ExpressionError.NO_ORIGIN || mayRaise(filter.condition());
  }

  private static boolean mayRaise(ProjectNode project) {
    return project.origin() != ExpressionError.NO_ORIGIN
        || project.expressions().stream().anyMatch(ColumnPruning::mayRaise);
  }

  private static boolean mayRaise(Expression expression) {
    if (expression instanceof Call call) {
      return call.origin() != ExpressionError.NO_ORIGIN
          || call.arguments().stream().anyMatch(ColumnPruning::mayRaise);
    }
    if (expression instanceof BridgedCall bridged) {
      return bridged.arguments().stream().anyMatch(ColumnPruning::mayRaise);
    }
    return expression instanceof Member member && mayRaise(member.struct());
  }

  private Pruned prune(ScanNode scan, BitSet needed) {
    BitSet read = (BitSet) needed.clone();
    Expression predicate = builder.predicate(scan.scanIndex());
    if (predicate != null) {
      TileProgramCompiler.addColumns(predicate, read);
    }
    List<Integer> kept = read.stream().boxed().toList();
    Schema schema = new Schema(fields(scan.schema(), kept));
    Pruned pruned = new Pruned(new ScanNode(scan.id(), scan.scanIndex(), schema), kept);
    builder.narrow(scan.scanIndex(), kept, predicate == null ? null : pruned.renumbered(predicate));
    return pruned;
  }

  private Pruned prune(FilterNode filter, BitSet needed) {
    BitSet read = (BitSet) needed.clone();
    TileProgramCompiler.addColumns(filter.condition(), read);
    Pruned child = prune(filter.child(), read);
    Expression condition = child.renumbered(filter.condition());
    return new Pruned(
        new FilterNode(filter.id(), child.node(), condition, filter.origin()), child.kept());
  }

  private Pruned prune(ProjectNode project, BitSet needed) {
    List<Integer> kept = needed.stream().boxed().toList();
    BitSet read = new BitSet();
    kept.forEach(i -> TileProgramCompiler.addColumns(project.expressions().get(i), read));
    Pruned child = prune(project.child(), read);
    List<Expression> expressions = new ArrayList<>();
    kept.forEach(i -> expressions.add(child.renumbered(project.expressions().get(i))));
    Schema schema = new Schema(fields(project.schema(), kept));
    return new Pruned(
        new ProjectNode(project.id(), child.node(), expressions, schema, project.origin()), kept);
  }

  private static List<Field> fields(Schema schema, List<Integer> columns) {
    return columns.stream().map(schema::field).toList();
  }
}
