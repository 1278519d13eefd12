/**
 * Tables of standard benchmarks: their rows, folders and files.
 *
 * <p>{@link io.ariadne.benchmark.table.TableFolders} writes the tables that are missing, with a
 * Spark without a plugin.
 */
package io.ariadne.benchmark.table;
