package io.ariadne.rules.exec.task;

import java.io.Serializable;
import org.apache.spark.broadcast.Broadcast;

/**
 * How a fragment's tasks get one of its inputs. Shipped to executors.
 *
 * @param isColumnar whether it arrives in Spark's columns and not in rows
 * @param broadcast where each task has all of its rows from; null when it arrives in partitions
 */
public record FragmentInput(boolean isColumnar, Broadcast<?> broadcast) implements Serializable {}
