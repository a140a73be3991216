package io.ojs.benchmark.page;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import one.convert.Arguments;
import one.convert.JfrToFlame;

/** Recordings of where the time goes, as pages that a browser shows without a network. */
public final class FlameGraphs {

	/** What fits into a repository. */
	private static final long LARGEST = 300_000;

	/**
	 * Native methods in which a thread waits for the kernel. Java Flight Recorder takes a
	 * sample of a thread in native code whether it runs or not.
	 */
	private static final String WAITING = Stream
		.of("sun.nio.ch.Net.poll", "sun.nio.ch.Net.accept", "sun.nio.ch.Net.connect0", "sun.nio.ch.EPoll.wait",
				"sun.nio.ch.PollSelectorImpl.poll", "sun.nio.ch.SocketDispatcher.read0",
				"sun.nio.ch.UnixDomainSockets.accept0", "java.net.SocketInputStream.socketRead0",
				"java.net.PlainSocketImpl.socketAccept", "java.io.FileInputStream.read0",
				"java.io.FileInputStream.readBytes", "sun.nio.fs.LinuxWatchService.poll",
				"java.lang.ProcessHandleImpl.waitForProcessExit0")
		.map(Pattern::quote)
		.collect(Collectors.joining("|"));

	private static final List<String> NARROWEST_PERCENT = List.of("0.1", "0.25", "0.5", "1", "2", "4");

	private FlameGraphs() {
	}

	static Path file(Path folder, Profile profile) {
		return folder.resolve("flame-" + profile.key() + ".html");
	}

	/**
	 * Deletes those of an earlier run, which may tell of what holds now.
	 * @param docs the folder of pages
	 * @param before when this run was measured
	 * @throws IOException if one stays
	 */
	public static void delete(Path docs, Instant before) throws IOException {
		Path folder = Files.createDirectories(docs.resolve("performance"));
		try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "flame-*.html")) {
			for (Path each : files) {
				if (Files.getLastModifiedTime(each).toInstant().isBefore(before)) {
					Files.delete(each);
				}
			}
		}
	}

	/**
	 * Whether there is one.
	 * @param docs the folder of pages
	 * @param profile of what
	 * @return whether its file exists
	 */
	public static boolean exists(Path docs, Profile profile) {
		return Files.exists(file(docs.resolve("performance"), profile));
	}

	/**
	 * Makes one, without the threads that wait. Frames that are too narrow are left out
	 * until it is small enough.
	 * @param recordings a folder with recordings of Java Flight Recorder; the largest is
	 * taken
	 * @param docs the folder of pages
	 * @param profile what was recorded
	 * @throws IOException if there is no recording, or it cannot be read
	 */
	public static void write(Path recordings, Path docs, Profile profile) throws IOException {
		Path folder = Files.createDirectories(docs.resolve("performance"));
		try (Stream<Path> files = Files.list(recordings)) {
			Path largest = files.filter((each) -> each.toString().endsWith(".jfr"))
				.max(Comparator.comparingLong((each) -> each.toFile().length()))
				.orElseThrow(() -> new IOException("No recording in " + recordings));
			Path file = file(folder, profile);
			String title = "%s, %s: CPU time".formatted(profile.contender().title(),
					profile.part().isEmpty() ? profile.scenario().name().toLowerCase(Locale.ROOT) : profile.part());
			for (String percent : NARROWEST_PERCENT) {
				convert(largest, file, "--minwidth", percent, "--title", title);
				if (Files.size(file) <= LARGEST) {
					return;
				}
			}
		}
	}

	/** Converts what used CPU time, and leaves out threads that wait. */
	static void convert(Path recording, Path file, String... more) throws IOException {
		// Java Flight Recorder has no state but this one, and another one is looked for
		// by default.
		Stream<String> options = Stream.of("--cpu", "--state", "runnable", "--exclude", WAITING, "--dot", "--norm");
		JfrToFlame.convert(recording.toString(), file.toString(),
				new Arguments(Stream.concat(options, Stream.of(more)).toArray(String[]::new)));
	}

}
