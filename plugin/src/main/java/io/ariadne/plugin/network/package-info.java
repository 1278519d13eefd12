/**
 * The network check, an application that measures the ways between the executors of a cluster:
 * {@link io.ariadne.plugin.network.NetworkCheck}.
 */
package io.ariadne.plugin.network;
