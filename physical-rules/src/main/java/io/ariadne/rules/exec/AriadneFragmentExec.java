package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneTreeExec;
import io.ariadne.bridge.node.NodeMetric;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.exec.metrics.SparkNodeMetrics;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.expression.Placement;
import io.ariadne.rules.expression.TaggedExpression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * A node of Ariadne's in Spark's plan, which becomes part of a plan fragment.
 *
 * <p>The topmost node of a connected group executes the whole group as one fragment. The nodes
 * below it only contribute their plan nodes and show their metrics.
 */
public abstract class AriadneFragmentExec extends AriadneTreeExec {
  private static final long serialVersionUID = 1L;

  /** Time that compute threads spent in the node's operators, summed over threads. */
  static final String TIME_KEY = "ariadneTime";

  /** Marks a node whose output is read by code that may ask which file a row is from. */
  private static final TreeNodeTag<Boolean> ASKED_FOR_FILES =
      new TreeNodeTag<>("ariadneAskedForFiles");

  private transient volatile List<String> bridgedNames;

  /**
   * Creates a node.
   *
   * @param child the input
   * @param arguments the other arguments of the subclass's constructor
   */
  protected AriadneFragmentExec(SparkPlan child, Object[] arguments) {
    this(List.of(child), arguments);
  }

  /**
   * Creates a node with several inputs.
   *
   * @param children the inputs, in the order of the subclass's constructor
   * @param arguments the other arguments of the subclass's constructor
   */
  AriadneFragmentExec(List<SparkPlan> children, Object[] arguments) {
    super(ScalaCollections.seq(children), arguments);
  }

  /** Returns the input, or the first of several inputs. */
  public final SparkPlan child() {
    return children().apply(0);
  }

  /**
   * Returns the plan of this node and everything below it within the group.
   *
   * @param builder numbers the nodes and gathers inputs
   */
  abstract PlanNode toPlanNode(FragmentBuilder builder);

  /**
   * Returns whether the node replaces a leaf of Spark's plan. Its child is then the replaced leaf,
   * which is no longer a node of the plan itself. A leaf that reads files only tells what to read
   * and is never executed; a leaf whose rows come with the plan still divides and ships them.
   */
  public boolean isLeaf() {
    return false;
  }

  /** Returns whether the nodes of ours below this node run in other fragments. */
  boolean endsFragment() {
    return false;
  }

  /** Returns whether the node's input from outside its fragment is columnar. */
  boolean readsColumns() {
    return child().supportsColumnar();
  }

  /** Returns the node's input from outside its fragment, if that is columnar. */
  RDD<ColumnarBatch> inputColumns() {
    return child().executeColumnar();
  }

  /** Records that code of Spark's nodes above may ask which file a row is from. */
  public final void askForFiles() {
    setTagValue(ASKED_FOR_FILES, true);
  }

  /** Returns whether code of Spark's nodes above may ask which file a row is from. */
  final boolean isAskedForFiles() {
    return getTagValue(ASKED_FOR_FILES).isDefined();
  }

  /** Returns the decisions of the node's translation about its expressions, for explanations. */
  public abstract NodeConversion explainConversion();

  @Override
  public List<NodeMetric> declaredMetrics() {
    List<NodeMetric> metrics = new ArrayList<>();
    metrics.add(NodeMetric.outputRows());
    metrics.add(NodeMetric.outputBatches());
    metrics.add(NodeMetric.nanoseconds(TIME_KEY, "time in Ariadne"));
    if (keepsBatches()) {
      metrics.addAll(SparkNodeMetrics.ofKeptBatches());
    }
    return metrics;
  }

  /**
   * Returns whether the node buffers batches, which may be spilled. Such a node has metrics of its
   * memory and of its spilling.
   */
  boolean keepsBatches() {
    return false;
  }

  /** Returns the metrics of the batches that the node buffers, by the names of the statistics. */
  final Map<String, SQLMetric> keptBatchMetrics() {
    Map<String, SQLMetric> metrics = new HashMap<>();
    if (keepsBatches()) {
      SparkNodeMetrics.ofKeptBatches()
          .forEach(metric -> metrics.put(metric.name(), longMetric(metric.name())));
    }
    return metrics;
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    return FragmentExecutor.execute(this);
  }

  /** Returns the child's columns, by position. */
  protected final List<Attribute> childColumns() {
    return ScalaCollections.list(child().output());
  }

  /** Returns the failure of a translation that succeeded when the query was planned. */
  protected final EngineException notConvertible() {
    return new EngineException(
        ErrorCode.INTERNAL,
        nodeName() + " cannot be translated any more: " + explainConversion().reasons());
  }

  /**
   * The arguments that explain prints: all except the switched-off names, then the bridged
   * expressions.
   */
  @Override
  public scala.collection.Iterator<Object> stringArgs() {
    List<Object> arguments = new ArrayList<>();
    for (Object argument : ScalaCollections.<Object>list(productIterator().toSeq())) {
      if (!(argument instanceof String)) {
        arguments.add(argument);
      }
    }
    List<String> bridged = bridgedExpressions();
    if (!bridged.isEmpty()) {
      arguments.add("bridged: " + bridged);
    }
    return ScalaCollections.<Object>seq(arguments).iterator();
  }

  /** Found once: adaptive execution prints the plan anew for every stage. */
  private List<String> bridgedExpressions() {
    if (bridgedNames == null) {
      bridgedNames =
          explainConversion().expressions().stream()
              .flatMap(TaggedExpression::all)
              .filter(tag -> tag.placement() == Placement.BRIDGE)
              .map(tag -> tag.expression().toString())
              .distinct()
              .toList();
    }
    return bridgedNames;
  }

  /** Returns the names in a node's argument of switched-off names. */
  static Set<String> names(String disabled) {
    return disabled.isEmpty() ? Set.of() : Set.of(disabled.split(","));
  }
}
