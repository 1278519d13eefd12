/**
 * Tests that are files of SQL: {@code src/test/resources/sql-tests/<family>/<name>.sql}. Each query
 * runs on Spark alone and with Ariadne, under every combination of the file's settings, and must
 * have run on the nodes that the file claims.
 *
 * <p>A file is statements, each ended by a semicolon at the end of a line, and directives, which
 * are comments; those of settings are written as in Spark's own SQL tests:
 *
 * <ul>
 *   <li>{@code --SET key=value,key=value}: settings of every run of the file's queries.
 *   <li>{@code --CONFIG_DIM1 key=value,key=value}: one of the values of a dimension; runs are the
 *       combinations of all dimensions' values.
 *   <li>{@code --RAN node,node}: nodes that must have given batches in every query from here on;
 *       {@code --RAN} alone claims nothing.
 *   <li>{@code --BRIDGED class,class}: expressions that go through Spark's code in every query from
 *       here on; all others must be computed by kernels.
 * </ul>
 *
 * <p>Statements that are no queries run once, before all queries, on Spark alone.
 */
package io.ariadne.it.sqlfile;
