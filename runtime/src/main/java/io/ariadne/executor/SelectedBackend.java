package io.ariadne.executor;

import io.ariadne.backend.Backend;

/**
 * An opened back end and why it was chosen.
 *
 * @param backend owned by whoever holds this
 * @param reason half a sentence for the log
 */
public record SelectedBackend(Backend backend, String reason) {}
