/**
 * A sort of 100-byte records on an object store, in the shape of the CloudSort benchmark.
 *
 * <p>{@link io.ariadne.benchmark.cloudsort.SortInput} writes records to the store, {@link
 * io.ariadne.benchmark.cloudsort.CloudSort} lets engines sort them back to the store and measures,
 * {@link io.ariadne.benchmark.cloudsort.SortCheck} checks the files that an engine has written, and
 * {@link io.ariadne.benchmark.cloudsort.CostModel} computes what a terabyte costs. Records are
 * written and checked with parquet-java, so that neither Spark nor Ariadne takes part in the check.
 */
package io.ariadne.benchmark.cloudsort;
