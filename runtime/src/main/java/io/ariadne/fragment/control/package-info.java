/**
 * Controls the work of one fragment: {@link io.ariadne.fragment.control.FragmentControl} has its
 * lock, its work items, its first failure, and the waits of its task thread.
 *
 * <p>May depend on {@code fragment.memory}, {@code compute}, {@code metrics}, {@code watch}, {@code
 * operator}, {@code columnar} and {@code error}. Knows nothing of pipelines.
 */
package io.ariadne.fragment.control;
