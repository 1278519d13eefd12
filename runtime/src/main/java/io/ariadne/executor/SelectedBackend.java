package io.ariadne.executor;

import io.ariadne.backend.Backend;

/**
 * An open back end and the reason why it was chosen.
 *
 * @param backend owned by the holder of this record
 * @param reason half a sentence for the log
 */
public record SelectedBackend(Backend backend, String reason) {}
