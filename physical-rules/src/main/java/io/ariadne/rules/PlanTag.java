package io.ariadne.rules;

import io.ariadne.rules.exec.translation.NodeConversion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * The decision about one node of a Spark plan. It wraps the node, and has the tags of the node's
 * children and every reason against converting it.
 *
 * <p>Filled by {@link PlanTagger}; not thread-safe.
 */
public final class PlanTag {
  private final SparkPlan plan;
  private final List<PlanTag> children;
  private final NodeRule<?> rule;
  private final NodeConversion conversion;
  private final List<String> reasons = new ArrayList<>();
  private String costNote = "";
  private boolean asksForFiles;

  PlanTag(SparkPlan plan, List<PlanTag> children, NodeRule<?> rule, NodeConversion conversion) {
    this.plan = plan;
    this.children = List.copyOf(children);
    this.rule = rule;
    this.conversion = conversion;
  }

  /** Returns Spark's node. */
  public SparkPlan plan() {
    return plan;
  }

  /** Returns the children's tags, in order. */
  public List<PlanTag> children() {
    return children;
  }

  /** Returns the outcome of the trial translation, absent for nodes without a rule. */
  public Optional<NodeConversion> conversion() {
    return Optional.ofNullable(conversion);
  }

  /** Returns the reasons against converting the node; empty when it is converted. */
  public List<String> reasons() {
    return List.copyOf(reasons);
  }

  /** Returns whether the node is converted to one of Ariadne's. */
  public boolean converts() {
    return reasons.isEmpty();
  }

  /** Returns the cost rule's sum for the group whose topmost node this is; may be empty. */
  public String costNote() {
    return costNote;
  }

  /** Returns this tag and all below, parents first. */
  public Stream<PlanTag> all() {
    return Stream.concat(Stream.of(this), children.stream().flatMap(PlanTag::all));
  }

  NodeRule<?> rule() {
    return rule;
  }

  void against(String reason) {
    reasons.add(reason);
  }

  /** Returns whether a node of Spark's above may ask which file a row is of. */
  boolean isAskedForFiles() {
    return asksForFiles;
  }

  void askForFiles(boolean asks) {
    asksForFiles = asks;
  }

  void costNote(String note) {
    costNote = note;
  }
}
