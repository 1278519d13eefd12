/**
 * Ariadne's nodes in Spark's physical plans, and the execution of a connected group of them as one
 * plan fragment.
 *
 * <p>Main types: {@link io.ariadne.rules.exec.AriadneFragmentExec}, the base of all nodes; {@link
 * io.ariadne.rules.exec.FragmentBuilder}, which makes a group's tree of plan nodes; {@link
 * io.ariadne.rules.exec.FragmentExecutor}, which makes an RDD of it; {@link
 * io.ariadne.rules.exec.ExchangeShuffles} and {@link io.ariadne.rules.exec.BroadcastRelations} for
 * exchanges.
 *
 * <p>May depend on {@code rules.exec.translation}, {@code rules.exec.task}, {@code
 * rules.exec.metrics}, {@code rules.expression}, {@code rules.scan}, {@code rules.broadcast},
 * {@code shuffle.spark}, {@code plan} and {@code bridge}. Does not know which nodes are converted
 * and why.
 */
package io.ariadne.rules.exec;
