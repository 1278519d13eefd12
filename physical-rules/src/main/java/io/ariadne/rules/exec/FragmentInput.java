package io.ariadne.rules.exec;

import java.io.Serializable;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * How a fragment's tasks get one of its inputs. Shipped to executors.
 *
 * @param isColumnar whether it arrives in Spark's columns and not in rows
 * @param broadcast where each task has all of its rows from; null when it arrives in partitions
 */
record FragmentInput(boolean isColumnar, Broadcast<?> broadcast) implements Serializable {
  /**
   * Returns how tasks get the output of an input of a group, which is broadcast now if it is one.
   */
  static FragmentInput of(AriadneFragmentExec input) {
    SparkPlan node = input.child();
    return AriadneBroadcastExec.isBroadcast(node)
        ? new FragmentInput(false, node.executeBroadcast())
        : new FragmentInput(input.readsColumns(), null);
  }
}
