/** Tests of reading ahead. */
package io.ariadne.preload;
