package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.rules.expression.UserCode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.Exchange;

/**
 * Finds nodes that may ask for the file of a row: {@code input_file_name()} and similar functions,
 * and user code, which can ask Spark's holder of the file.
 *
 * <p>A fragment reads ahead. So a fragment below such a node, up to the next exchange, names the
 * file of each output batch, and none of its batches spans two files. If the asking code is in the
 * fragment itself, the batches carry their file. Stateless.
 */
final class InputFileReaders {
  private InputFileReaders() {}

  /** Marks the nodes of a decided plan whose output is read by a node that may ask for the file. */
  static void mark(PlanTag root) {
    mark(root, false, false);
  }

  /**
   * Marks a node and those below it.
   *
   * @param isAsked whether a node above the node's fragment may ask
   * @param asksItself whether a node above it, in its own fragment, may ask; this matters to the
   *     fragment's imports
   */
  private static void mark(PlanTag tag, boolean isAsked, boolean asksItself) {
    boolean asks = isAsked || mayAsk(tag.plan());
    if (!tag.converts()) {
      boolean below = asks && !(tag.plan() instanceof Exchange);
      tag.children().forEach(child -> mark(child, below, false));
      return;
    }
    if (tag.plan() instanceof Exchange) {
      tag.children().forEach(child -> mark(child, false, false));
      return;
    }
    if (PlanTagger.regroups(tag.plan())) {
      // Fragments end below it.
      tag.children().forEach(child -> mark(child, asks || asksItself, false));
      return;
    }
    tag.askForFiles(isAsked);
    for (PlanTag child : tag.children()) {
      if (child.converts()) {
        mark(child, isAsked, asksItself || asks);
      } else {
        mark(child, asksItself || asks, false);
      }
    }
  }

  /** Returns whether any node of a plan may ask. */
  static boolean isAsked(PlanTag root) {
    return root.all().anyMatch(tag -> mayAsk(tag.plan()));
  }

  private static boolean mayAsk(SparkPlan plan) {
    return PlanTagger.hasInterface(plan.getClass(), "ObjectConsumerExec")
        || PlanTagger.hasInterface(plan.getClass(), "ObjectProducerExec")
        || ScalaCollections.<Expression>list(plan.expressions()).stream()
            .anyMatch(InputFileReaders::mayAsk);
  }

  private static boolean mayAsk(Expression expression) {
    return UserCode.mayAskForFile(expression)
        || ScalaCollections.<Expression>list(expression.children()).stream()
            .anyMatch(InputFileReaders::mayAsk);
  }
}
