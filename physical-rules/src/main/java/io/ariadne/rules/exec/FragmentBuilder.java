package io.ariadne.rules.exec;

import io.ariadne.bridge.task.InputFiles;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.expression.ReplayTable;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Puts together the fragment that the topmost node of a connected group executes: numbers its
 * nodes, gathers its inputs and the expressions that may raise. Used on the driver, by one thread.
 */
public final class FragmentBuilder {
  private final ReplayTable replays = new ReplayTable();
  private final InputFiles files = new InputFiles();
  private final List<AriadneImportExec> inputs = new ArrayList<>();
  private final Map<SparkPlan, List<Integer>> numbersByOwner = new IdentityHashMap<>();
  private int nextNumber;

  /** Creates a builder for a trial: the child's columns stand for the child. */
  static PlanNode placeholder(List<? extends Attribute> columns) {
    return new InputNode(0, 0, AttributeSchemas.schema(columns));
  }

  /** Returns our plan of one of our nodes, its inputs included. */
  PlanNode build(SparkPlan plan) {
    return enter(plan).toPlanNode(this);
  }

  /**
   * Returns our plan of one of our nodes without the projection it ends in, when that may raise for
   * rows that the node above drops.
   */
  Optional<ProjectionInput> buildBelowProjection(SparkPlan plan) {
    return plan instanceof ProjectingExec exec && exec.projectionMayRaise()
        ? Optional.of(((ProjectingExec) enter(plan)).toProjectionInput(this))
        : Optional.empty();
  }

  private AriadneFragmentExec enter(SparkPlan plan) {
    if (!(plan instanceof AriadneFragmentExec exec)) {
      throw new IllegalStateException(plan.nodeName() + " is no node of a fragment");
    }
    if (numbersByOwner.put(plan, new ArrayList<>()) != null) {
      throw new IllegalStateException(plan.nodeName() + " occurs twice in one fragment");
    }
    return exec;
  }

  /** Returns a new number for a plan node that belongs to one of Spark's. */
  int number(SparkPlan owner) {
    numbersByOwner.computeIfAbsent(owner, o -> new ArrayList<>()).add(nextNumber);
    return nextNumber++;
  }

  /** Adds an input and returns its position among the fragment's inputs. */
  int input(AriadneImportExec exec) {
    inputs.add(exec);
    return inputs.size() - 1;
  }

  /** Returns what translations share, for a node with these names switched off. */
  ConversionScope scope(Set<String> disabled) {
    return new ConversionScope(disabled, replays, files);
  }

  List<AriadneImportExec> inputs() {
    return List.copyOf(inputs);
  }

  InputFiles files() {
    return files;
  }

  ReplayTable replays() {
    return replays;
  }

  /** Returns the numbers of the plan nodes that one of Spark's became. */
  List<Integer> numbersOf(SparkPlan owner) {
    return numbersByOwner.getOrDefault(owner, List.of());
  }
}
