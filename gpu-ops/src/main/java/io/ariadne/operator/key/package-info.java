/**
 * The keys of aggregations and joins: {@link io.ariadne.operator.key.KeyColumns} computes them in
 * the layouts of the group table, {@link io.ariadne.operator.key.CodedGroups} groups rows by
 * dictionary codes.
 *
 * <p>May depend on {@code operator}, {@code operator.project} and what these may depend on.
 */
package io.ariadne.operator.key;
