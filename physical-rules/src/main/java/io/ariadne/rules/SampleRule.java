package io.ariadne.rules;

import io.ariadne.rules.exec.AriadneSampleExec;
import io.ariadne.rules.exec.translation.NodeConversion;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.execution.SampleExec;
import org.apache.spark.sql.execution.SparkPlan;

/** Samples, without replacement. */
final class SampleRule implements NodeRule<SampleExec> {
  @Override
  public Class<SampleExec> sparkClass() {
    return SampleExec.class;
  }

  @Override
  public String note() {
    return "without replacement";
  }

  @Override
  public NodeConversion tryConvert(SampleExec node, Set<String> disabled) {
    return node.withReplacement()
        ? NodeConversion.failed("it may give a row several times")
        : AriadneSampleExec.of(node, NodeRules.joined(disabled), node.child()).explainConversion();
  }

  @Override
  public int gain(SampleExec node, NodeConversion conversion) {
    return 0; // the numbers come through the bridge
  }

  @Override
  public SparkPlan convert(SampleExec node, List<SparkPlan> inputs, Set<String> disabled) {
    return AriadneSampleExec.of(node, NodeRules.joined(disabled), inputs.get(0));
  }
}
