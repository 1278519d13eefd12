/** Tests of the reader of local files over system calls. */
package io.ariadne.io.local;
