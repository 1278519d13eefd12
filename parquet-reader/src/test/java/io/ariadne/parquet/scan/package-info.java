/** Scans of whole files, against the rows that parquet-mr wrote. */
package io.ariadne.parquet.scan;
