package io.ojs.benchmark.page;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

import io.ojs.benchmark.contender.Contenders;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

class FlameGraphsTests {

	private static final Profile BULK = Profile.throughput(Contenders.OJS, "bulk");

	@TempDir
	Path folder;

	@Test
	void withoutARecordingThereIsNoPage() throws Exception {
		Path recordings = Files.createDirectory(this.folder.resolve("recordings"));
		assertThatIOException().isThrownBy(() -> FlameGraphs.write(recordings, this.folder, BULK))
			.withMessageContaining(recordings.toString());
		assertThat(this.folder.resolve("performance/flame-ojs-bulk.html")).doesNotExist();
	}

	@Test
	void threadsThatWaitHaveNoCpuTime() throws Exception {
		Path file = this.folder.resolve("1.jfr");
		try (ServerSocketChannel server = ServerSocketChannel.open().bind(null);
				Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.socket().getLocalPort());
				SocketChannel accepted = server.accept();
				Selector selector = Selector.open();
				Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
			accepted.configureBlocking(false).register(selector, SelectionKey.OP_READ);
			recording.start();
			thread(() -> selector.select());
			thread(() -> socket.getInputStream().read());
			spinUntilSampled("wait", "read0", "spinUntilSampled");
			recording.stop();
			recording.dump(file);
		}

		Path stacks = this.folder.resolve("stacks");
		FlameGraphs.convert(file, stacks, "--output", "collapsed");

		assertThat(stacks).content().contains("FlameGraphsTests.spinUntilSampled");
		// The recorder itself reads files.
		assertThat(Files.readAllLines(stacks)).filteredOn((stack) -> !stack.contains("jdk.jfr"))
			.noneMatch((stack) -> stack.matches(".*(EPoll.wait|read0|Net.poll).*"));
	}

	private static void thread(Callable<?> body) {
		Thread thread = new Thread(() -> {
			try {
				body.call();
			}
			catch (Exception ex) {
				// The other end was closed.
			}
		});
		thread.setDaemon(true);
		thread.start();
	}

	/** Until each has been on top of a stack: on a busy machine that takes its time. */
	private static void spinUntilSampled(String... methods) {
		Set<String> missing = ConcurrentHashMap.newKeySet();
		missing.addAll(List.of(methods));
		try (RecordingStream samples = new RecordingStream()) {
			for (String event : List.of("jdk.ExecutionSample", "jdk.NativeMethodSample")) {
				samples.enable(event).withPeriod(Duration.ofMillis(10));
				samples.onEvent(event,
						(sample) -> missing.remove(sample.getStackTrace().getFrames().get(0).getMethod().getName()));
			}
			samples.startAsync();
			long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
			double spun = 0;
			while (!missing.isEmpty() && System.nanoTime() < end) {
				for (int i = 0; i < 1_000_000; i++) {
					spun += Math.sqrt(spun + 1);
				}
			}
			assertThat(spun).isPositive();
		}
		assertThat(missing).isEmpty();
	}

	@Test
	void thoseOfAnEarlierRunGoAndNothingElseDoes() throws Exception {
		Path pages = Files.createDirectory(this.folder.resolve("performance"));
		Instant run = Instant.now();
		Profile bulk = Profile.throughput(Contenders.OJS, "bulk");
		Profile single = Profile.throughput(Contenders.OJS, "single");
		Path old = Files.writeString(FlameGraphs.file(pages, bulk), "of last year");
		Files.setLastModifiedTime(old, FileTime.from(run.minusSeconds(1)));
		Path other = Files.writeString(FlameGraphs.file(pages, single), "of this run");
		Files.setLastModifiedTime(other, FileTime.from(run.plusSeconds(1)));
		Files.writeString(pages.resolve("latency.svg"), "a plot");

		FlameGraphs.delete(this.folder, run);

		assertThat(FlameGraphs.exists(this.folder, bulk)).isFalse();
		assertThat(FlameGraphs.exists(this.folder, single)).isTrue();

		FlameGraphs.delete(this.folder, Instant.MAX);

		assertThat(pages).isDirectoryNotContaining("glob:**.html").isDirectoryContaining("glob:**latency.svg");
	}

}
