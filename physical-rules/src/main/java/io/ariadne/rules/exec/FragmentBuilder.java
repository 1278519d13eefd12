package io.ariadne.rules.exec;

import io.ariadne.bridge.task.InputFiles;
import io.ariadne.expression.Expression;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ScanNode;
import io.ariadne.rules.exec.task.FragmentStart;
import io.ariadne.rules.exec.translation.ProjectionInput;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.expression.ReplayTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Puts together the fragment that the topmost node of a connected group executes: numbers its
 * nodes, gathers its inputs and the expressions that may raise. Used on the driver, by one thread.
 */
public final class FragmentBuilder {
  private final ReplayTable replays = new ReplayTable();
  private final InputFiles files = new InputFiles();
  private final List<AriadneFragmentExec> inputs = new ArrayList<>();
  private final List<AriadneScanExec> scans = new ArrayList<>();
  private final Map<Integer, Expression> predicates = new HashMap<>();
  private final Map<Integer, List<Integer>> columns = new HashMap<>();
  private final Map<SparkPlan, List<Integer>> numbersByOwner = new IdentityHashMap<>();

  /** The nodes of the plan by their copies with the results of subqueries. */
  private final Map<SparkPlan, SparkPlan> originals = new IdentityHashMap<>();

  private final Map<AriadneFragmentExec, AriadneCrossInputExec> rightSides =
      new IdentityHashMap<>();
  private final Map<AriadneFragmentExec, AriadneCrossInputExec> leftSides = new IdentityHashMap<>();
  private int nextNumber;
  private boolean demandsOneTask;

  /** Creates a builder. */
  FragmentBuilder() {}

  /** Returns our plan of one of our nodes, including its inputs. */
  PlanNode build(SparkPlan plan) {
    return enter(plan).toPlanNode(this);
  }

  /**
   * Returns our plan of one of our nodes without its topmost projection, when the projection may
   * raise for rows that the node above drops.
   */
  Optional<ProjectionInput> buildBelowProjection(SparkPlan plan) {
    return plan instanceof ProjectingExec exec && exec.projectionMayRaise()
        ? Optional.of(((ProjectingExec) enter(plan)).toProjectionInput(this))
        : Optional.empty();
  }

  /**
   * Returns the copy of a node that is translated, in which results replace scalar subqueries. All
   * access to the expressions of a plan's node goes through this method.
   */
  private AriadneFragmentExec enter(SparkPlan plan) {
    if (!(plan instanceof AriadneFragmentExec exec)) {
      throw new IllegalStateException(plan.nodeName() + " is no node of a fragment");
    }
    if (numbersByOwner.put(plan, new ArrayList<>()) != null) {
      throw new IllegalStateException(plan.nodeName() + " occurs twice in one fragment");
    }
    AriadneFragmentExec resolved = SubqueryResults.insert(exec);
    originals.put(resolved, exec);
    return resolved;
  }

  /** Returns a new number for a plan node of one of Spark's nodes. */
  int number(SparkPlan owner) {
    SparkPlan original = originals.getOrDefault(owner, owner);
    numbersByOwner.computeIfAbsent(original, o -> new ArrayList<>()).add(nextNumber);
    return nextNumber++;
  }

  /** Makes one task read all partitions of the fragment's input. */
  void demandOneTask() {
    demandsOneTask = true;
  }

  /** Returns whether one task reads all partitions of the fragment's input. */
  boolean demandsOneTask() {
    return demandsOneTask;
  }

  /** Adds a node whose child's output is imported; returns its position among the inputs. */
  int input(AriadneFragmentExec exec) {
    inputs.add(exec);
    return inputs.size() - 1;
  }

  /** Makes a task for each pair of partitions of two inputs. */
  void cross(AriadneCrossInputExec left, AriadneCrossInputExec right) {
    rightSides.put(left, right);
    leftSides.put(right, left);
  }

  /** Returns the right side of the cartesian product whose left side is an input, or null. */
  AriadneCrossInputExec rightOf(AriadneFragmentExec input) {
    return rightSides.get(input);
  }

  /** Returns the left side of the cartesian product whose right side is an input, or null. */
  AriadneCrossInputExec leftOf(AriadneFragmentExec input) {
    return leftSides.get(input);
  }

  /** Adds a scan and returns its position among the fragment's scans. */
  int scan(AriadneScanExec exec) {
    scans.add(exec);
    return scans.size() - 1;
  }

  /**
   * Makes a scan return only the rows for which a condition is true.
   *
   * @param scan one of the fragment's scans
   * @param condition over the scan's columns; cannot raise, nothing in it is bridged
   * @return false when the scan has a condition already
   */
  boolean filter(ScanNode scan, Expression condition) {
    return predicates.putIfAbsent(scan.scanIndex(), condition) == null;
  }

  /**
   * Makes a scan return only some of its columns.
   *
   * @param scanIndex one of the fragment's scans
   * @param kept the numbers of the columns
   * @param predicate the condition of the rows, over these columns; null when there is none
   */
  void narrow(int scanIndex, List<Integer> kept, Expression predicate) {
    columns.put(scanIndex, kept);
    predicates.put(scanIndex, predicate);
  }

  /** Returns the numbers of the columns that a scan returns. */
  List<Integer> columns(int scanIndex) {
    List<Integer> kept = columns.get(scanIndex);
    return kept != null
        ? kept
        : IntStream.range(0, scans.get(scanIndex).childColumns().size()).boxed().toList();
  }

  /** Returns the condition of a scan's rows; null when the scan returns all rows. */
  Expression predicate(int scanIndex) {
    return predicates.get(scanIndex);
  }

  /**
   * Returns the scope that the translations share.
   *
   * @param disabled names that are switched off for the node
   * @param input the plan of the node's input
   */
  ConversionScope scope(Set<String> disabled, PlanNode input) {
    ConversionScope scope = ConversionScope.execution(disabled, replays, files);
    return FragmentStart.keepsPlaces(input) ? scope : scope.behind();
  }

  List<AriadneFragmentExec> inputs() {
    return List.copyOf(inputs);
  }

  InputFiles files() {
    return files;
  }

  List<AriadneScanExec> scans() {
    return List.copyOf(scans);
  }

  ReplayTable replays() {
    return replays;
  }

  /** Returns the numbers of the plan nodes that one of Spark's nodes was translated to. */
  List<Integer> numbersOf(SparkPlan owner) {
    return numbersByOwner.getOrDefault(owner, List.of());
  }
}
