package io.ariadne.shuffle.transport.ucx;

import io.ariadne.columnar.buffer.Closer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucs.UcsConstants;

/** Sends a message from one worker of this process to another one, and another message back. */
final class UcxCheck {
  private final UcxLoop asking;
  private final UcxLoop serving;
  private final CompletableFuture<Void> outcome = new CompletableFuture<>();

  /** Used by the thread that asks. */
  private UcxConnection toServer;

  /** Used by the thread that serves. */
  private UcxConnection toClient;

  private UcxCheck(Optional<String> devices) {
    asking = new UcxLoop("ariadne-ucx-check-client", devices);
    try {
      serving = new UcxLoop("ariadne-ucx-check-server", devices);
    } catch (RuntimeException | Error e) {
      asking.close();
      throw e;
    }
  }

  /**
   * Makes the check. After a failure its workers stay open: UCX 1.13.1 aborts the process ({@code
   * ucp_request.c:684}) when one ends while the other still connects to it.
   *
   * @param devices network devices, as UCX names them; empty for those that UCX chooses
   * @param limit how long the messages may take
   * @throws ExecutionException when UCX sends none of the messages
   * @throws TimeoutException when one does not come in time
   */
  static void run(Optional<String> devices, Duration limit)
      throws InterruptedException, ExecutionException, TimeoutException {
    UcxCheck check = new UcxCheck(devices);
    check.receive(check.serving, UcxSessions.REQUEST, check::answer);
    check.receive(check.asking, UcxSessions.REPLY, () -> check.outcome.complete(null));
    check.step(check.asking, check::ask);
    check.outcome.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    check.close();
  }

  /** Runs a step on the thread of a loop; its failure is the outcome. */
  private void step(UcxLoop loop, Runnable step) {
    var unused =
        loop.execute(
            () -> {
              try {
                step.run();
              } catch (RuntimeException e) {
                outcome.completeExceptionally(e);
              }
            });
  }

  private void receive(UcxLoop loop, int kind, Runnable action) {
    step(
        loop,
        () ->
            loop.worker()
                .setAmRecvHandler(
                    kind,
                    (header, headerBytes, data, replyTo) -> {
                      step(loop, action);
                      return UcsConstants.STATUS.UCS_OK;
                    },
                    UcpConstants.UCP_AM_FLAG_WHOLE_MSG));
  }

  private void ask() {
    toServer = asking.connect(serving.address(), this::lost);
    send(toServer, UcxSessions.REQUEST);
  }

  /** Takes the server's end of the connection, as {@link UcxSessions} does. */
  private void answer() {
    if (toClient == null) {
      toClient = serving.take(asking.address(), this::lost);
      send(toClient, UcxSessions.REPLY);
    }
  }

  private void send(UcxConnection connection, int kind) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(Long.BYTES);
    connection.send(
        kind,
        bytes,
        bytes.duplicate(),
        UcpConstants.UCP_AM_SEND_FLAG_EAGER,
        failure -> {
          if (failure != null) {
            lost(failure);
          }
        });
  }

  private void lost(String message) {
    outcome.completeExceptionally(new IllegalStateException(message));
  }

  private void close() {
    step(asking, () -> close(toServer));
    step(serving, () -> close(toClient));
    Closer closer = new Closer();
    closer.close(asking);
    closer.close(serving);
    closer.rethrow();
  }

  private static void close(UcxConnection connection) {
    if (connection != null) {
      connection.close();
    }
  }
}
