/**
 * The commands of {@code bin/ariadne} and their options.
 *
 * <p>{@link io.ariadne.benchmark.command.AriadneCommand} is the main program. {@code BenchmarkRun}
 * is what the commands that compare engines have in common: generate missing tables, measure,
 * print, write files.
 */
package io.ariadne.benchmark.command;
