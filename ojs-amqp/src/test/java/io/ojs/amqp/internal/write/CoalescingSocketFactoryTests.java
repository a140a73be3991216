package io.ojs.amqp.internal.write;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * That the sockets do what {@link WriteCoalescing} wants, as RabbitMQ's client uses them.
 */
class CoalescingSocketFactoryTests {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	@Test
	void framesOfABatchLeaveTheSocketTogether() throws IOException {
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				Socket socket = new CoalescingSocketFactory().createSocket()) {
			socket.connect(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()));
			try (Socket accepted = server.accept()) {
				OutputStream out = socket.getOutputStream();
				assertThat(socket.getOutputStream()).isSameAs(out);
				WriteCoalescing.together(() -> {
					frame(out, 'a');
					frame(out, 'b');
					await().during(Duration.ofMillis(100))
						.atMost(PATIENCE)
						.until(() -> accepted.getInputStream().available() == 0);
				});
				accepted.setSoTimeout((int) PATIENCE.toMillis());
				assertThat(accepted.getInputStream().readNBytes(2)).containsExactly('a', 'b');
			}
		}
	}

	@Test
	void socketThatIsClosedLeavesNoThread() throws IOException {
		Set<Thread> before = writers();
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			Socket socket = new CoalescingSocketFactory().createSocket(server.getInetAddress(), server.getLocalPort());
			OutputStream out = socket.getOutputStream();
			await().atMost(PATIENCE).until(() -> {
				WriteCoalescing.soon(100, () -> frame(out, 'a'));
				WriteCoalescing.soon(100, () -> frame(out, 'b'));
				return writers().size() > before.size();
			});
			socket.close();
			await().atMost(PATIENCE).until(() -> before.containsAll(writers()));
		}
	}

	private static Set<Thread> writers() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("ojs-acks"))
			.collect(Collectors.toSet());
	}

	private static void frame(OutputStream out, int content) {
		try {
			out.write(content);
			out.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
