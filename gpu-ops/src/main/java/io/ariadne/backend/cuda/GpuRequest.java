package io.ariadne.backend.cuda;

import java.util.List;
import java.util.Objects;

/**
 * The GPU that a process has to use.
 *
 * @param addresses what a resource manager has assigned to the process: ordinals of the driver, or
 *     UUIDs such as {@code GPU-8a5f...}, which may be abbreviated; the first one is used. Empty
 *     when the process may choose among the GPUs that it sees
 * @param origin the setting that the addresses come from, for messages
 */
public record GpuRequest(List<String> addresses, String origin) {
  /** The process chooses among the GPUs that it sees. */
  public static final GpuRequest ANY = new GpuRequest(List.of(), "no setting");

  /** Copies the list. */
  public GpuRequest {
    addresses = List.copyOf(addresses);
    Objects.requireNonNull(origin, "origin is null");
  }
}
