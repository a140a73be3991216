package io.ojs.boot.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs the scripts of {@code src/test/js} in Node.js, with the packages that its lock
 * file names.
 */
final class NodeScripts {

	private static final Path SOURCE = Path.of("src", "test", "js");

	private static final Path INSTALLED = Path.of("target", "js");

	private NodeScripts() {
	}

	static void install() {
		try (Stream<Path> files = Files.list(SOURCE)) {
			Files.createDirectories(INSTALLED);
			for (Path file : files.filter(Files::isRegularFile).toList()) {
				Files.copy(file, INSTALLED.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		run("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error");
	}

	static String run(String script, String argument, String... more) {
		List<String> command = new ArrayList<>();
		if (script.endsWith(".mjs")) {
			command.add("node");
		}
		command.add(script);
		command.add(argument);
		command.addAll(List.of(more));
		Path errors = INSTALLED.resolve("errors.log");
		try {
			Process process = new ProcessBuilder(command).directory(INSTALLED.toFile())
				.redirectError(errors.toFile())
				.start();
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
			if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
				throw new IllegalStateException("%s failed: %s".formatted(command, Files.readString(errors)));
			}
			return output;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("This test needs Node.js and npm: apt-get install nodejs npm", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
