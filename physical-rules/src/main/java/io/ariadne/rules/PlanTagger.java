package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.rules.exec.AriadneBroadcastExec;
import io.ariadne.rules.exec.AriadneFragmentExec;
import io.ariadne.rules.exec.AriadneHashAggregateExec;
import io.ariadne.rules.exec.RoundInputExec;
import io.ariadne.rules.exec.translation.NodeConversion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.Final$;
import org.apache.spark.sql.catalyst.expressions.aggregate.PartialMerge$;
import org.apache.spark.sql.execution.CoalesceExec;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnionExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;

/**
 * Decides which nodes of a Spark plan become ours. Changes nothing.
 *
 * <p>First every node on its own: its class has a rule, nothing in it is unsupported, its inputs
 * can be columns. Then connected groups of such nodes, from the leaves up, by {@link
 * TransitionCost}. A group whose lowest node merges the buffers of one of our aggregations is
 * converted whatever it costs, so that both halves of an aggregation stay together.
 */
public final class PlanTagger {
  /** Scans of continuous processing and of real-time mode: a batch of their rows is never full. */
  private static final Set<String> ENDLESS_SCANS =
      Set.of("ContinuousScanExec", "RealTimeStreamScanExec");

  private final Set<String> disabled;

  /**
   * Creates a tagger.
   *
   * @param disabled names of operators and expressions that stay with Spark; with {@link
   *     TransitionCost#NAME} all supported nodes are converted, whatever the transitions cost
   */
  public PlanTagger(Set<String> disabled) {
    this.disabled = Set.copyOf(disabled);
  }

  /** Decides about a plan: a whole one, or one stage of an adaptive one. */
  public PlanTag tag(SparkPlan plan) {
    PlanTag root = tagNodes(plan);
    Optional<String> stream =
        root.all().flatMap(tag -> reasonOfStream(tag.plan()).stream()).findFirst();
    if (stream.isPresent()) {
      root.all().forEach(tag -> tag.against(stream.get()));
    } else {
      JoinRules.guard(root);
      guard(root);
      if (root.converts() && RowBroadcasts.isForUnknown(plan)) {
        root.against("the reader of the broadcast is not known");
      }
      weighGroups(root, null);
      guard(root);
      InputFileReaders.mark(root);
    }
    return root;
  }

  /**
   * Applies the guards until no further node goes back to Spark. A node that goes back to Spark may
   * also send back nodes that need it or that it needs.
   */
  private static void guard(PlanTag root) {
    long before;
    do {
      before = root.all().filter(PlanTag::converts).count();
      SkippedRowErrors.guard(root);
      JoinOrders.guard(root);
      SingleTaskNestedLoopRule.guard(root);
      root.all().filter(tag -> regroups(tag.plan())).forEach(PlanTagger::guardInputs);
      LocalTableRules.guard(root);
    } while (root.all().filter(PlanTag::converts).count() < before);
  }

  private PlanTag tagNodes(SparkPlan plan) {
    if (plan instanceof AriadneFragmentExec exec && exec.isLeaf()) {
      return unknown(plan, List.of());
    }
    List<PlanTag> children = new ArrayList<>();
    for (SparkPlan child : ScalaCollections.<SparkPlan>list(plan.children())) {
      children.add(tagNodes(child));
    }
    Optional<NodeRule<?>> rule = NodeRules.forClass(plan.getClass());
    return rule.isEmpty() ? unknown(plan, children) : tagWithRule(plan, children, rule.get());
  }

  private static PlanTag unknown(SparkPlan plan, List<PlanTag> children) {
    PlanTag tag = new PlanTag(plan, children, null, null);
    tag.against(
        plan instanceof AriadneFragmentExec
            ? "it is Ariadne's already"
            : "no operator for " + plan.getClass().getSimpleName());
    return tag;
  }

  private <P extends SparkPlan> PlanTag tagWithRule(
      SparkPlan plan, List<PlanTag> children, NodeRule<P> rule) {
    NodeConversion conversion = rule.tryConvert(rule.sparkClass().cast(plan), disabled);
    PlanTag tag = new PlanTag(plan, children, rule, conversion);
    conversion.reasons().forEach(tag::against);
    if (disabled.contains(rule.name())) {
      tag.against(rule.name() + " is disabled");
    }
    return tag;
  }

  /** Children before parents: a parent's group may depend on what was decided below an exchange. */
  private void weighGroups(PlanTag tag, PlanTag parent) {
    tag.children().forEach(child -> weighGroups(child, tag));
    if (endsGroup(tag)) {
      guardInputs(tag);
    } else if (tag.converts()
        && (parent == null || !parent.converts() || endsGroup(parent))
        && !LocalTableRules.isFree(tag, parent)) {
      weigh(tag, parent);
    }
  }

  private static void guardInputs(PlanTag tag) {
    if (tag.converts() && !tag.children().stream().allMatch(input -> isMoved(tag, input))) {
      tag.against("its input comes in rows");
    }
  }

  /**
   * Returns whether a node that moves columns to other tasks gets columns from an input: the input
   * is converted or, if the node is no shuffle, a finished stage of Ariadne's.
   */
  private static boolean isMoved(PlanTag tag, PlanTag input) {
    boolean isStage =
        !(tag.plan() instanceof ShuffleExchangeExec) && RowTransitions.isStageOfOurs(input.plan());
    return input.converts() || isStage;
  }

  /**
   * Returns whether a node moves columns to other tasks. Such a node belongs to no group. It is
   * converted when the nodes below it are.
   */
  private static boolean endsGroup(PlanTag tag) {
    return tag.plan() instanceof ShuffleExchangeExec || regroups(tag.plan()) || isBroadcast(tag);
  }

  /** Returns whether a node only gives partitions to other tasks, as they are. */
  static boolean regroups(SparkPlan plan) {
    return plan instanceof CoalesceExec || plan instanceof UnionExec;
  }

  private static boolean isBroadcast(PlanTag tag) {
    return tag.plan() instanceof BroadcastExchangeExec;
  }

  private void weigh(PlanTag top, PlanTag parent) {
    List<PlanTag> group = new ArrayList<>();
    List<PlanTag> inputs = new ArrayList<>();
    collectGroup(top, group, inputs);
    boolean rowOutput = parent == null || !parent.plan().supportsColumnar();
    inputs.removeIf(input -> AriadneBroadcastExec.isBroadcast(input.plan()));
    int columnar = (int) inputs.stream().filter(PlanTagger::givesColumns).count();
    int scans =
        (int) group.stream().filter(tag -> tag.plan() instanceof FileSourceScanExec).count();
    int gain = group.stream().mapToInt(PlanTagger::gain).sum();
    TransitionCost cost =
        new TransitionCost(gain, inputs.size() - columnar, columnar + scans, rowOutput);
    boolean completesPair = group.stream().anyMatch(PlanTagger::mergesOurBuffers);
    top.costNote(completesPair ? "completes an aggregation begun on Ariadne" : cost.describe());
    if (!cost.isWorthIt() && !completesPair && !disabled.contains(TransitionCost.NAME)) {
      group.forEach(tag -> tag.against("not worth the conversions: " + cost.describe()));
    }
  }

  private static void collectGroup(PlanTag tag, List<PlanTag> group, List<PlanTag> inputs) {
    group.add(tag);
    for (PlanTag child : tag.children()) {
      if (child.converts() && !endsGroup(child)) {
        collectGroup(child, group, inputs);
      } else {
        inputs.add(child);
      }
    }
  }

  private static int gain(PlanTag tag) {
    return gain(tag, tag.rule());
  }

  private static <P extends SparkPlan> int gain(PlanTag tag, NodeRule<P> rule) {
    return rule.gain(rule.sparkClass().cast(tag.plan()), tag.conversion().orElseThrow());
  }

  private static boolean givesColumns(PlanTag tag) {
    return tag.converts() || tag.plan().supportsColumnar();
  }

  private static boolean mergesOurBuffers(PlanTag tag) {
    return tag.plan() instanceof BaseAggregateExec aggregate
        && ScalaCollections.<AggregateExpression>list(aggregate.aggregateExpressions()).stream()
            .anyMatch(a -> a.mode() == Final$.MODULE$ || a.mode() == PartialMerge$.MODULE$)
        && tag.children().stream().anyMatch(PlanTagger::beginsOurAggregation);
  }

  /** Looks through exchanges and the like for the aggregation whose buffers arrive here. */
  private static boolean beginsOurAggregation(PlanTag tag) {
    if (tag.plan() instanceof BaseAggregateExec) {
      return tag.converts();
    }
    return tag.children().isEmpty()
        ? beginsOurAggregation(tag.plan())
        : tag.children().stream().anyMatch(PlanTagger::beginsOurAggregation);
  }

  private static boolean beginsOurAggregation(SparkPlan plan) {
    if (plan instanceof AriadneHashAggregateExec || plan instanceof RoundInputExec) {
      return true;
    }
    if (plan instanceof BaseAggregateExec) {
      return false;
    }
    Stream<SparkPlan> below =
        plan instanceof QueryStageExec stage
            ? Stream.of(stage.plan())
            : ScalaCollections.<SparkPlan>list(plan.children()).stream();
    return below.anyMatch(PlanTagger::beginsOurAggregation);
  }

  /**
   * Returns why a node keeps the whole plan with Spark. The names decide, as classes have moved
   * between packages from one Spark line to another, and older lines lack some.
   */
  private static Optional<String> reasonOfStream(SparkPlan plan) {
    if (hasInterface(plan.getClass(), "StatefulOperator")) {
      return Optional.of("the query keeps streaming state");
    }
    return ENDLESS_SCANS.contains(plan.getClass().getSimpleName())
        ? Optional.of("the rows of its stream do not come in batches")
        : Optional.empty();
  }

  /** Returns whether a class has an interface of this name, wherever that is. */
  static boolean hasInterface(Class<?> type, String simpleName) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      for (Class<?> i : c.getInterfaces()) {
        if (i.getSimpleName().equals(simpleName) || hasInterface(i, simpleName)) {
          return true;
        }
      }
    }
    return false;
  }
}
