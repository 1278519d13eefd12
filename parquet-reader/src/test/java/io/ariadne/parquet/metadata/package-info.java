/** Tests of what is read of a file besides its pages. */
package io.ariadne.parquet.metadata;
