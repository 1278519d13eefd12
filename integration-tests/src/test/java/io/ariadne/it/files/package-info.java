/** Hadoop's local file system without the processes that it starts, for all tests. */
package io.ariadne.it.files;
