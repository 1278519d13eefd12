/** Tests of finding requested columns in files. */
package io.ariadne.parquet.schema;
