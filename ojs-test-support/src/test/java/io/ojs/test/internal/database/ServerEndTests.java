package io.ojs.test.internal.database;

import java.nio.file.Path;
import java.util.List;

import io.ojs.test.internal.process.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What is left of a server when its JVM ends, of itself or by SIGKILL: nothing.
 */
class ServerEndTests {

	@ParameterizedTest
	@ValueSource(strings = { "running", "frozen" })
	void nothingIsLeftAfterTheJvmIsKilled(String state) throws Exception {
		try (ChildJvm jvm = ChildJvm.start(ServerMain.class, state)) {
			Path folder = Path.of(jvm.says());
			assertThat(folder).isDirectory();
			List<ProcessHandle> processes = jvm.descendants();
			// Supervisor, watcher, postmaster and its children; some live for a moment
			// only.
			assertThat(processes).filteredOn(ServerRun::runs).hasSizeGreaterThanOrEqualTo(6);
			jvm.kill();
			await().untilAsserted(() -> assertThat(processes).noneMatch(ServerRun::runs));
			await().untilAsserted(() -> assertThat(folder).doesNotExist());
		}
	}

	@Test
	void serverOutlivesShutdownHooksAndNothingElse() throws Exception {
		try (ChildJvm jvm = ChildJvm.start(ServerMain.class, "exit")) {
			Path folder = Path.of(jvm.says());
			List<ProcessHandle> processes = jvm.descendants();
			assertThat(jvm.says()).isEqualTo("reached in shutdown hook");
			assertThat(jvm.awaitExit()).isZero();
			await().untilAsserted(() -> assertThat(processes).noneMatch(ServerRun::runs));
			await().untilAsserted(() -> assertThat(folder).doesNotExist());
		}
	}

	static final class ServerMain {

		private ServerMain() {
		}

		public static void main(String[] args) throws Exception {
			PostgresServer server = PostgresServer.start();
			if (args[0].equals("frozen")) {
				server.pause();
			}
			System.out.println(ChildJvm.SAYS + server.folder());
			if (!args[0].equals("exit")) {
				// Until it is killed.
				Thread.currentThread().join();
			}
			Runtime.getRuntime().addShutdownHook(new Thread(() -> {
				try (PostgresDatabase database = server.newDatabase()) {
					System.out.println(ChildJvm.SAYS + (database.name().isEmpty() ? "?" : "reached in shutdown hook"));
				}
				catch (RuntimeException ex) {
					System.out.println(ChildJvm.SAYS + ex);
				}
			}));
		}

	}

}
