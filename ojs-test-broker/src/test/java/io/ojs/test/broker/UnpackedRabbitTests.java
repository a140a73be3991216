package io.ojs.test.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.ojs.test.internal.process.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The cache of unpacked trees: with several JVMs at once, and after an interruption. The
 * tree itself is made by a short script here; the real one serves all other tests on
 * hosts that have nothing better.
 */
class UnpackedRabbitTests {

	private static final Path SH = Path.of("/bin/sh");

	private static final String SCRIPT = "unpack-for-test.sh";

	@TempDir
	@SuppressWarnings("NullAway.Init")
	Path cache;

	@Test
	void unpacksOnce() throws IOException {
		Lookup<RabbitInstallation> first = look("sid", SH);
		Path root = this.cache.resolve("sid");
		assertThat(first).isEqualTo(
				new Lookup.Found<>(new RabbitInstallation(root.resolve("usr/lib/rabbitmq/lib/rabbitmq_server-1/sbin"),
						root.resolve("usr/lib/erlang/bin"), Map.of("ERL_ROOTDIR", root + "/usr/lib/erlang"))));
		assertThat(look("sid", this.cache.resolve("no-apt-get-any-more"))).isEqualTo(first);
		assertThat(runs()).isEqualTo(1);
		assertThat(unfinished()).isEmpty();
	}

	@Test
	void isAbsentWhereThereIsNoApt() {
		Path missing = this.cache.resolve("usr/bin/apt-get");
		assertThat(look("sid", missing))
			.isEqualTo(new Lookup.Absent<>("this is no Debian or Ubuntu, there is no " + missing));
	}

	@Test
	void severalThreadsAndJvmsUnpackOnce() throws Exception {
		try (ChildJvm one = otherJvm(); ChildJvm other = otherJvm()) {
			List<CompletableFuture<Lookup<RabbitInstallation>>> threads = Stream.of(1, 2)
				.map((number) -> CompletableFuture.supplyAsync(() -> look("sid", SH)))
				.toList();
			for (CompletableFuture<Lookup<RabbitInstallation>> thread : threads) {
				assertThat(thread.get()).isInstanceOf(Lookup.Found.class);
			}
			assertThat(one.awaitExit()).isZero();
			assertThat(other.awaitExit()).isZero();
		}
		assertThat(runs()).isEqualTo(1);
		assertThat(unfinished()).isEmpty();
	}

	@Test
	void startsAfreshAfterAnInterruption() throws Exception {
		Path hang = Files.createFile(this.cache.resolve("hang"));
		try (ChildJvm interrupted = otherJvm()) {
			await().until(() -> Files.exists(this.cache.resolve("half")));
			List<ProcessHandle> itsScript = interrupted.descendants();
			interrupted.kill();
			itsScript.forEach(ProcessHandle::destroyForcibly);
		}
		assertThat(unfinished()).isNotEmpty();
		assertThat(this.cache.resolve("sid")).doesNotExist();

		Files.delete(hang);
		assertThat(look("sid", SH)).isInstanceOf(Lookup.Found.class);
		assertThat(unfinished()).isEmpty();
	}

	private Lookup<RabbitInstallation> look(String suite, Path tool) {
		return new UnpackedRabbit(this.cache, suite, List.of(tool), SCRIPT).look();
	}

	private ChildJvm otherJvm() throws IOException {
		return ChildJvm.start(Main.class, this.cache.toString(), "sid");
	}

	private long runs() throws IOException {
		return Files.readAllLines(this.cache.resolve("runs")).size();
	}

	private List<Path> unfinished() throws IOException {
		try (Stream<Path> entries = Files.list(this.cache)) {
			return entries.filter((entry) -> entry.getFileName().toString().contains("unfinished")).toList();
		}
	}

	static final class Main {

		private Main() {
		}

		public static void main(String[] args) {
			Lookup<RabbitInstallation> lookup = new UnpackedRabbit(Path.of(args[0]), args[1], List.of(SH), SCRIPT)
				.look();
			System.exit((lookup instanceof Lookup.Found) ? 0 : 1);
		}

	}

}
