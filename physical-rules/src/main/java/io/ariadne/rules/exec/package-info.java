/**
 * Ariadne's nodes in Spark's physical plans, and how a connected group of them becomes one plan
 * fragment that runs in the executor's runtime.
 *
 * <p>Main types: {@link io.ariadne.rules.exec.AriadneFilterExec}, {@link
 * io.ariadne.rules.exec.AriadneProjectExec}, {@link
 * io.ariadne.rules.exec.AriadneHashAggregateExec}, {@link io.ariadne.rules.exec.AriadneImportExec};
 * {@link io.ariadne.rules.exec.FragmentBuilder} and the translations it is used with; {@link
 * io.ariadne.rules.exec.FragmentStart}, the code of a task.
 *
 * <p>May depend on {@code rules.expression}, {@code plan}, {@code executor}, {@code task} and
 * {@code bridge}. Knows nothing of which nodes are converted and why.
 */
package io.ariadne.rules.exec;
