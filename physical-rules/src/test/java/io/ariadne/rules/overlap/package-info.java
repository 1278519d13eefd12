/** The experiment E1: reading, computing and sending at the same time. */
package io.ariadne.rules.overlap;
