package io.ariadne.shuffle.transport.ucx;

import java.util.Optional;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;

/** Loads UCX, which the machine has to have; Ariadne's jar has its binding for Java only. */
public final class UcxLibrary {
  private UcxLibrary() {}

  private static final class Loaded {
    static final String FAILURE = load();

    private Loaded() {}

    private static String load() {
      try (UcpContext context = new UcpContext(new UcpParams().requestAmFeature());
          UcpWorker worker = context.newWorker(new UcpWorkerParams())) {
        int length = worker.getAddress().remaining();
        return length <= WorkerAddress.MAX_BYTES
            ? ""
            : "UCX uses too many devices (UCX_NET_DEVICES): its address has " + length + " bytes";
      } catch (LinkageError | RuntimeException e) {
        return "UCX cannot be loaded (Debian: apt install libucx0): " + e.getMessage();
      }
    }
  }

  /** Returns why UCX cannot be used on this machine; empty when it can. Loads it the first time. */
  public static Optional<String> reasonAgainst() {
    return Loaded.FAILURE.isEmpty() ? Optional.empty() : Optional.of(Loaded.FAILURE);
  }
}
