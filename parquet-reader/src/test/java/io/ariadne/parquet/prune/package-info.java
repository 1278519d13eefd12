/** Tests of pruning. */
package io.ariadne.parquet.prune;
