/** Tests of how wanted columns are found in files. */
package io.ariadne.parquet.schema;
