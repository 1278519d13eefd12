package io.ariadne.it.sql;

/** Broadcasts that Java serializes. */
class BroadcastIT extends AbstractBroadcastIT {}
