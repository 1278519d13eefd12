/**
 * The programs behind {@code bin/ariadne}: data generation, the demo, and benchmarks that compare
 * engines.
 *
 * <p>Each package may use those after it: {@code command} (the command line), {@code workload}
 * (queries and the comparison), {@code table} (generated tables), {@code report} (results), {@code
 * engine} (engines and their JVMs), {@code store} (an object store on this machine). {@code
 * operators} measures Ariadne's operators without Spark and uses none of the other packages; {@code
 * OperatorsBenchCommand} starts it by the name of its main class.
 */
package io.ariadne.benchmark;
