package io.ojs.test.broker;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A RabbitMQ that is installed on this host. The tests use only its files, not its data
 * and not a running service.
 */
final class InstalledRabbit implements Source<RabbitInstallation> {

	/**
	 * The folder in which packages install RabbitMQ. Debian's {@code rabbitmq-server} on
	 * the path requires root or the user rabbitmq; the script in this folder does not.
	 */
	private static final String PACKAGED = "usr/lib/rabbitmq/lib";

	private final Path root;

	private final List<Path> path;

	InstalledRabbit(Path root, List<Path> path) {
		this.root = root;
		this.path = path;
	}

	static InstalledRabbit onThisHost() {
		String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
		// The folders of server packages and Homebrew, which the PATH of an IDE may lack.
		String more = String.join(File.pathSeparator, "/usr/local/sbin", "/usr/sbin", "/usr/local/bin", "/usr/bin",
				"/opt/homebrew/sbin", "/opt/homebrew/bin");
		return new InstalledRabbit(Path.of("/"),
				Stream.of((path + File.pathSeparator + more).split(File.pathSeparator))
					.filter((entry) -> !entry.isEmpty())
					.map(Path::of)
					.toList());
	}

	@Override
	public String name() {
		return "installed rabbitmq-server";
	}

	@Override
	public Lookup<RabbitInstallation> look() {
		Optional<Path> scripts = scripts();
		if (scripts.isEmpty()) {
			return new Lookup.Absent<>("neither on the PATH nor in " + this.root.resolve(PACKAGED));
		}
		// On Debian and others, erl is a link into Erlang's own folder, which also has
		// epmd.
		Optional<Path> erlang = program("erl").map(Path::getParent).filter((folder) -> isProgram(folder, "epmd"));
		if (erlang.isEmpty()) {
			return new Lookup.Absent<>("found in " + scripts.get() + ", but there is no erl with its epmd on the PATH");
		}
		return new Lookup.Found<>(new RabbitInstallation(scripts.get(), erlang.get(), Map.of()));
	}

	private Optional<Path> scripts() {
		return program("rabbitmq-server").map(Path::getParent)
			.filter(InstalledRabbit::isScripts)
			.or(() -> packagedScripts(this.root));
	}

	static Optional<Path> packagedScripts(Path root) {
		Path packaged = root.resolve(PACKAGED);
		if (!Files.isDirectory(packaged)) {
			return Optional.empty();
		}
		try (DirectoryStream<Path> homes = Files.newDirectoryStream(packaged, "rabbitmq_server-*")) {
			for (Path home : homes) {
				if (isScripts(home.resolve("sbin"))) {
					return Optional.of(home.resolve("sbin"));
				}
			}
			return Optional.empty();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + packaged, ex);
		}
	}

	private Optional<Path> program(String name) {
		return this.path.stream().filter((folder) -> isProgram(folder, name)).findFirst().map((folder) -> {
			try {
				return folder.resolve(name).toRealPath();
			}
			catch (IOException ex) {
				throw new UncheckedIOException("Cannot follow " + folder.resolve(name), ex);
			}
		});
	}

	private static boolean isScripts(Path folder) {
		return isProgram(folder, "rabbitmq-server") && isProgram(folder, "rabbitmqctl")
				&& Files.isRegularFile(folder.resolve("rabbitmq-env"));
	}

	private static boolean isProgram(Path folder, String name) {
		return Files.isExecutable(folder.resolve(name)) && Files.isRegularFile(folder.resolve(name));
	}

}
