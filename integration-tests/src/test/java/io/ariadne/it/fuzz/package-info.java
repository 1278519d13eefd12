/**
 * A query fuzzer: random tables, queries and settings, answered with Ariadne off and on.
 *
 * <p>Entry types: {@link io.ariadne.it.fuzz.FuzzMain}, {@code FuzzIT}. May depend on {@code
 * it.sql}, {@code it.fault} and Spark; must not know how Ariadne translates plans.
 */
package io.ariadne.it.fuzz;
