/** Tests of the cache of remote ranges. */
package io.ariadne.io.cache;
