/** Tests of the readers of bytes. */
package io.ariadne.io;
