/**
 * Tests of the store below a device, and {@link io.ariadne.spill.host.DeviceBatches} for others.
 */
package io.ariadne.spill.host;
