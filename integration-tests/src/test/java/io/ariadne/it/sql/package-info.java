/**
 * Differential tests: every query runs on Spark and on Ariadne in one session, outcomes are
 * compared, and a comparison counts only if the plan and its metrics prove that the operators under
 * test ran on Ariadne ({@link io.ariadne.it.sql.Differential}).
 */
package io.ariadne.it.sql;
