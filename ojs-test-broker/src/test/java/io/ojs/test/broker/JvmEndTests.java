package io.ojs.test.broker;

import java.nio.file.Path;
import java.util.List;

import io.ojs.test.internal.process.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What is left of a node when its JVM ends, of itself or by SIGKILL: nothing.
 */
@Tag("broker")
class JvmEndTests {

	@Test
	void nothingIsLeftAfterTheJvmIsKilled() throws Exception {
		try (ChildJvm jvm = ChildJvm.start(NodeMain.class)) {
			Path folder = Path.of(jvm.says());
			assertThat(folder).isDirectory();
			List<ProcessHandle> processes = jvm.descendants();
			// Supervisor and program, for each of epmd and the broker.
			assertThat(processes).hasSizeGreaterThanOrEqualTo(4).allMatch(JvmEndTests::runs);
			jvm.kill();
			await().untilAsserted(() -> assertThat(processes).noneMatch(JvmEndTests::runs));
			await().untilAsserted(() -> assertThat(folder).doesNotExist());
		}
	}

	@Test
	void brokerOutlivesShutdownHooksAndNothingElse() throws Exception {
		try (ChildJvm jvm = ChildJvm.start(NodeMain.class, "exit")) {
			Path folder = Path.of(jvm.says());
			List<ProcessHandle> processes = jvm.descendants();
			assertThat(jvm.says()).isEqualTo("reached in shutdown hook");
			assertThat(jvm.awaitExit()).isZero();
			await().untilAsserted(() -> assertThat(processes).noneMatch(JvmEndTests::runs));
			await().untilAsserted(() -> assertThat(folder).doesNotExist());
		}
	}

	private static boolean runs(ProcessHandle process) {
		// A process that has ended but that nobody has waited for has no command.
		return process.isAlive() && process.info().command().isPresent();
	}

	static final class NodeMain {

		private NodeMain() {
		}

		public static void main(String[] args) throws Exception {
			PrivateRabbitNode node = PrivateRabbitNode.create();
			System.out.println(ChildJvm.SAYS + node.folder());
			if (args.length == 0) {
				// Until it is killed.
				Thread.currentThread().join();
			}
			Runtime.getRuntime().addShutdownHook(new Thread(() -> {
				try (VirtualHost virtualHost = node.newVirtualHost()) {
					BrokerAddress.parse(virtualHost.uri()).askVersion();
					System.out.println(ChildJvm.SAYS + "reached in shutdown hook");
				}
				catch (Exception ex) {
					System.out.println(ChildJvm.SAYS + ex);
				}
			}));
		}

	}

}
