/**
 * Writes the bundle that {@code dev/gpu/replay.py} replays on a machine with a GPU and no JVM.
 *
 * <p>{@link io.ariadne.replay.WriteReplayBundle} is the program; a {@code ReplayCase} is a list of
 * launches over recorded memory, and what must be in that memory afterwards. The answers come from
 * the host back end, whose algorithms are other ones, and are held against the emulated back end
 * before they are written. {@code RecordedCases} adds launches that the suites under the emulator
 * make, so that there is a case of every kernel. Their answers are the emulator's alone: the suites
 * have compared them with plain Java. They leave out what depends on the order of threads.
 *
 * <p>It may depend on {@code backend}, {@code kernel.abi}, {@code columnar.buffer} and {@code
 * memory}; nothing may depend on it.
 */
package io.ariadne.replay;
