/**
 * Executes the plan fragment of one Spark task: {@link io.ariadne.fragment.PipelinedFragment} runs
 * the fragment's pipelines and is the {@link io.ariadne.fragment.FragmentExecution} from which the
 * task thread takes output.
 *
 * <p>May depend on {@code fragment.control}, {@code fragment.memory}, {@code pipeline} and what
 * these depend on. Knows nothing of Spark, of the process's settings, or of what operators compute.
 */
package io.ariadne.fragment;
