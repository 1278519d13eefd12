/**
 * Engines that answer SQL, and the JVMs they run in.
 *
 * <p>{@link io.ariadne.benchmark.engine.EngineProcess} starts an engine in a JVM of its own and
 * talks to {@link io.ariadne.benchmark.engine.EngineWorker}, the main program of that JVM, which
 * owns a {@link io.ariadne.benchmark.engine.QueryEngine}. The code here sees Ariadne as a user
 * does, as a jar and settings. Only {@code AriadneInspection} calls its classes, in workers that
 * have the jar.
 */
package io.ariadne.benchmark.engine;
