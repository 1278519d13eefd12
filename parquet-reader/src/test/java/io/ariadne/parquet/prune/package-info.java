/** Tests of what is left out of a scan. */
package io.ariadne.parquet.prune;
