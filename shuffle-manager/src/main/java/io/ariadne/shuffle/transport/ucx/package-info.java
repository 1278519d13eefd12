/**
 * The transport over UCX: {@link io.ariadne.shuffle.transport.ucx.UcxTransport}. The only package
 * that knows jucx, UCX's binding for Java.
 *
 * <p>{@link io.ariadne.shuffle.transport.ucx.UcxLoop} is a thread that makes all calls of one
 * worker of UCX, and {@link io.ariadne.shuffle.transport.ucx.UcxConnection} is one end of a
 * connection; {@link io.ariadne.shuffle.transport.ucx.UcxClients} asks peers, {@link
 * io.ariadne.shuffle.transport.ucx.UcxSessions} answers them. Peers meet over TCP first, by an
 * {@link io.ariadne.shuffle.transport.ucx.Introduction}.
 */
package io.ariadne.shuffle.transport.ucx;
