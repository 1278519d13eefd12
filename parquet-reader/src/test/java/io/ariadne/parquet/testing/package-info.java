/** Files written by parquet-mr for the tests of this module. */
package io.ariadne.parquet.testing;
