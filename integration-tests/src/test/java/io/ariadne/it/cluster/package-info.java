/**
 * Ariadne in real cluster processes: a driver started by SparkSubmit and executors of their own,
 * which show what {@code local[N]} hides: class loading, serialisation and the split between driver
 * and executors.
 */
package io.ariadne.it.cluster;
