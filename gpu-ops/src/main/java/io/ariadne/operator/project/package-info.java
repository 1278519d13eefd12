/**
 * Filters and projections: {@link io.ariadne.operator.project.FilterProjectOperatorFactory}, {@link
 * io.ariadne.operator.project.ExpandOperatorFactory} and, for the predicate of a scan, {@link
 * io.ariadne.operator.project.RowPredicate}.
 *
 * <p>A {@link io.ariadne.operator.project.ProjectionStep} is the compiled form of a filter with its
 * projections. {@link io.ariadne.operator.project.ProjectionRunner} evaluates it over a batch:
 * bridged calls and functions that produce strings first, then tile programs. {@link
 * io.ariadne.operator.project.WorkingColumns} holds the columns of one such evaluation.
 *
 * <p>May depend on {@code operator}, {@code expression}, {@code kernel}, {@code backend} and {@code
 * columnar}. Knows nothing of tasks, threads or Spark.
 */
package io.ariadne.operator.project;
