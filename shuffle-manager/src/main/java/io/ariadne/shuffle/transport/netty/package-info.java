/**
 * The TCP transport, on Spark's own network library (Netty): {@link
 * io.ariadne.shuffle.transport.netty.TcpTransport}. Authentication and encryption are those of
 * Spark's connections: the same settings, secrets and code. The only package that uses {@code
 * org.apache.spark.network} and {@code io.netty}.
 */
package io.ariadne.shuffle.transport.netty;
