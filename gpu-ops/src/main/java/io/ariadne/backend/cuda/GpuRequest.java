package io.ariadne.backend.cuda;

import java.util.List;
import java.util.Objects;

/**
 * Which GPU a process is to take.
 *
 * @param addresses what a resource manager has given the process: ordinals of the driver, or UUIDs
 *     such as {@code GPU-8a5f...}, which may be cut short; the first one counts. Empty when the
 *     process may choose among the GPUs that it sees
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
