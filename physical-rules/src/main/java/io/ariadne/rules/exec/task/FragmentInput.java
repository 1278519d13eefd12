package io.ariadne.rules.exec.task;

import java.io.Serializable;
import org.apache.spark.broadcast.Broadcast;

/**
 * Describes how a fragment's tasks get one of its inputs. Shipped to executors.
 *
 * @param isColumnar whether the input arrives in Spark's columns and not in rows
 * @param broadcast the broadcast from which each task reads all rows; null for an input that
 *     arrives in partitions
 */
public record FragmentInput(boolean isColumnar, Broadcast<?> broadcast) implements Serializable {}
