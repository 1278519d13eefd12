/**
 * The one exception of the engine and the codes that say who reacts to it.
 *
 * <p>May depend on the JDK only.
 */
package io.ariadne.error;
