/**
 * Runtime filters: an exchange of a join's smaller input collects hashes of the join's keys, and
 * the exchange of the larger input drops rows without such a key before they move.
 *
 * <pre>
 *  Spark's driver   RuntimeFilterRule (package rules) gives exchanges their {@link
 *                   io.ariadne.rules.filter.FilterRoles}
 *  map task         {@link io.ariadne.rules.filter.MapTaskFilters} collects hashes ---- part ----+
 *                                                                                               v
 *  Spark's driver   {@link io.ariadne.rules.filter.FilterBoard} makes the filter when all parts are there
 *                                                                                               |
 *  map task         drops rows once {@link io.ariadne.rules.filter.ProcessFilters} has it <-----+
 * </pre>
 *
 * <p>No task waits for a filter. A filter that is never complete drops nothing.
 *
 * <p>May depend on {@code operator.exchange}, {@code executor}, {@code bridge} and Spark. Knows no
 * nodes of plans.
 */
package io.ariadne.rules.filter;
