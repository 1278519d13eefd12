package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneUnionExec;
import io.ariadne.rules.exec.AriadneCoalesceExec;
import io.ariadne.rules.exec.translation.NodeConversion;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.execution.CoalesceExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnionExec;

/** Rules of nodes that pass whole partitions to other tasks. */
final class RepartitionRules {
  static final List<NodeRule<?>> ALL = List.of(new CoalesceRule(), new UnionRule());

  private RepartitionRules() {}

  private static final class CoalesceRule implements NodeRule<CoalesceExec> {
    @Override
    public Class<CoalesceExec> sparkClass() {
      return CoalesceExec.class;
    }

    @Override
    public String note() {
      return "over columns of Ariadne's";
    }

    @Override
    public NodeConversion tryConvert(CoalesceExec node, Set<String> disabled) {
      return NodeConversion.passing(ScalaCollections.list(node.child().output()));
    }

    @Override
    public int gain(CoalesceExec node, NodeConversion conversion) {
      return 0;
    }

    @Override
    public SparkPlan convert(CoalesceExec node, List<SparkPlan> inputs, Set<String> disabled) {
      return new AriadneCoalesceExec(node.numPartitions(), inputs.get(0));
    }
  }

  private static final class UnionRule implements NodeRule<UnionExec> {
    @Override
    public Class<UnionExec> sparkClass() {
      return UnionExec.class;
    }

    @Override
    public String note() {
      return "over columns of Ariadne's";
    }

    @Override
    public NodeConversion tryConvert(UnionExec node, Set<String> disabled) {
      return NodeConversion.passing(ScalaCollections.list(node.output()));
    }

    @Override
    public int gain(UnionExec node, NodeConversion conversion) {
      return 0;
    }

    @Override
    public SparkPlan convert(UnionExec node, List<SparkPlan> inputs, Set<String> disabled) {
      return AriadneUnionExec.of(node, ScalaCollections.seq(inputs));
    }
  }
}
