/**
 * Spark's own SQL test suites, run with the plugin on: {@code SparkSuitesGate} in the profile
 * {@code spark-suites}.
 */
package io.ariadne.it.suites;
