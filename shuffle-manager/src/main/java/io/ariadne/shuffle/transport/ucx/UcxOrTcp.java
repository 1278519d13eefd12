package io.ariadne.shuffle.transport.ucx;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.shuffle.transport.Transport;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the transport over UCX; or, where UCX cannot be used, the one over TCP. */
public final class UcxOrTcp {
  private static final Logger LOG = LoggerFactory.getLogger(UcxOrTcp.class);

  private UcxOrTcp() {}

  /**
   * A transport that has started.
   *
   * @param transport owned by the caller
   * @param reason why it is the one over TCP; empty for UCX
   */
  public record Started(Transport transport, Optional<String> reason) {}

  /**
   * Starts to answer. The parameters are those of {@link UcxTransport#start}. A failure of UCX is a
   * reason for TCP, which one line tells; a failure of TCP is thrown as it is.
   */
  public static Started start(
      String name,
      String host,
      UcxSecurity security,
      BufferAllocator allocator,
      Function<Transport.Handler, Transport> tcp,
      Transport.Handler handler) {
    Optional<String> reason = UcxLibrary.reasonAgainst(host);
    if (reason.isEmpty()) {
      try {
        return new Started(
            UcxTransport.start(name, host, security, allocator, tcp, handler), Optional.empty());
      } catch (RuntimeException | LinkageError e) {
        reason = Optional.of("UCX cannot be started: " + e);
      }
    }
    Transport instead = tcp.apply(handler);
    LOG.warn("map outputs move over TCP: {}", reason.get());
    return new Started(instead, reason);
  }
}
