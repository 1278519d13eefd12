/**
 * Hadoop's local file system without the processes that it starts, for the integration tests and
 * Spark's suites.
 */
package io.ariadne.it.files;
