/**
 * Differential tests of the file scan: files written in every way Spark and parquet-mr know are
 * read by Spark and by Ariadne, and rows or errors compared. A comparison counts only if Ariadne's
 * own reader read the files, or if the plan gives the expected reason why it did not. Builds on
 * {@link io.ariadne.it.sql.Differential}.
 */
package io.ariadne.it.scan;
