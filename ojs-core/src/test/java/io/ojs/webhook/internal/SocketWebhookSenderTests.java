package io.ojs.webhook.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import javax.net.ssl.SSLSocketFactory;

import io.ojs.internal.thread.Threads;
import io.ojs.webhook.WebhookFailedException;
import io.ojs.webhook.WebhookReply;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * What is posted over connections, and what becomes of receivers that are none.
 */
class SocketWebhookSenderTests {

	private static final Duration LONG = Duration.ofSeconds(20);

	private static final byte[] BODY = "{\"ä\":1}".getBytes(StandardCharsets.UTF_8);

	private final SocketWebhookSender sender = new SocketWebhookSender(true);

	private final List<AutoCloseable> open = new ArrayList<>();

	@AfterEach
	void close() throws Exception {
		this.sender.close();
		for (AutoCloseable each : this.open) {
			each.close();
		}
	}

	/** Answers each connection, once it has sent all. */
	private Receiver receiver(Answer answer) throws IOException {
		Receiver receiver = new Receiver(answer);
		this.open.add(receiver);
		return receiver;
	}

	private WebhookReply post(Receiver receiver, Duration timeout) throws Exception {
		return this.sender.post(URI.create("http://localhost:" + receiver.port() + "/a%20b?c=d"), Map.of("X-One", "1"),
				BODY, timeout);
	}

	private static SocketWebhookSender sender(SocketWebhookSender.Names names) {
		return new SocketWebhookSender(true, names, (SSLSocketFactory) SSLSocketFactory.getDefault());
	}

	private static WebhookFailedException failure(ThrowingCallable post) {
		return catchThrowableOfType(WebhookFailedException.class, post);
	}

	private static Answer says(String text) {
		return (out) -> out.write(text.getBytes(StandardCharsets.UTF_8));
	}

	@Test
	void aReceiverGetsWhatIsPosted() throws Exception {
		Receiver receiver = receiver(says("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nyesandmore"));
		WebhookReply reply = post(receiver, LONG);
		assertThat(reply.status()).isEqualTo(200);
		assertThat(reply.body()).isEqualTo("yes");
		assertThat(reply.isSuccess()).isTrue();
		assertThat(receiver.next()).isEqualTo("POST /a%20b?c=d HTTP/1.1\r\nHost: localhost:" + receiver.port()
				+ "\r\nX-One: 1\r\nContent-Length: 8\r\nConnection: close\r\n\r\n{\"ä\":1}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
			"HTTP/1.0 200 OK\n\nabc", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200\r\ncontent-length:3\r\n\r\nabc" })
	void answersMayHaveOtherForms(String answer) throws Exception {
		WebhookReply reply = post(receiver(says(answer)), LONG);
		assertThat(reply.status()).isEqualTo(200);
		assertThat(reply.body()).isEqualTo("abc");
	}

	@Test
	void ofALongAnswerTheBeginningIsRead() throws Exception {
		WebhookReply reply = post(receiver((out) -> {
			out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.UTF_8));
			// Without an end, until the connection is gone.
			while (true) {
				out.write("x".repeat(10_000).getBytes(StandardCharsets.UTF_8));
			}
		}), LONG);
		assertThat(reply.body()).hasSize(WebhookExchange.MAX_BODY);
	}

	@Test
	void aRedirectIsAnAnswerAndNotFollowed() throws Exception {
		Receiver elsewhere = receiver(says("HTTP/1.1 200 OK\r\n\r\n"));
		WebhookReply reply = post(receiver(says("HTTP/1.1 307 Away\r\nLocation: http://localhost:" + elsewhere.port()
				+ "/\r\nContent-Length: 0\r\n\r\n")), LONG);
		assertThat(reply.status()).isEqualTo(307);
		assertThat(reply.isSuccess()).isFalse();
		assertThat(reply.isRetryable()).isFalse();
		assertThat(elsewhere.requests).isEmpty();
	}

	@Test
	void aReceiverThatDoesNotAnswerIsLeftInTime() throws Exception {
		Answer hanging = (out) -> new Object().hashCode();
		Receiver receiver = receiver(hanging);
		receiver.keepOpen = true;
		assertThatExceptionOfType(WebhookFailedException.class).isThrownBy(() -> post(receiver, Duration.ofMillis(300)))
			.satisfies((failed) -> {
				assertThat(failed.type()).isEqualTo("webhook.timeout");
				assertThat(failed.isRetryable()).isTrue();
			});
	}

	@Test
	void aCallerThatIsInterruptedLeavesItsReceiver() throws Exception {
		Receiver receiver = receiver((out) -> out.flush());
		receiver.keepOpen = true;
		Thread caller = Threads.daemon(() -> catchThrowable(() -> post(receiver, Duration.ofMinutes(1))), "caller");
		caller.start();
		assertThat(receiver.next()).startsWith("POST ");
		caller.interrupt();
		Socket connection = receiver.kept.get(0);
		connection.setSoTimeout(10_000);
		assertThat(connection.getInputStream().read()).isEqualTo(-1);
	}

	@Test
	void aReceiverThatAnswersForEverIsLeftInTime() throws Exception {
		Receiver receiver = receiver((out) -> {
			out.write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.UTF_8));
			while (true) {
				out.write("X: y\r\n".getBytes(StandardCharsets.UTF_8));
				out.flush();
				TimeUnit.MILLISECONDS.sleep(20);
			}
		});
		assertThatExceptionOfType(WebhookFailedException.class).isThrownBy(() -> post(receiver, Duration.ofMillis(500)))
			.satisfies((failed) -> assertThat(failed.type()).isEqualTo("webhook.timeout"));
	}

	@Test
	void whoHasSaidYesMayTakeLongOverTheRest() throws Exception {
		Receiver receiver = receiver(
				(out) -> out.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab".getBytes(StandardCharsets.UTF_8)));
		receiver.keepOpen = true;
		WebhookReply reply = post(receiver, Duration.ofSeconds(5));
		assertThat(reply.isSuccess()).isTrue();
		assertThat(reply.body()).isEqualTo("ab");
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "-1", "3, 3", "99999999999999999999" })
	void whoHasSaidYesMaySayAnythingOfTheLength(String length) throws Exception {
		WebhookReply reply = post(receiver(says("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\nabc")), LONG);
		assertThat(reply.status()).isEqualTo(200);
	}

	@Test
	void anAnswerHasItsBounds() throws Exception {
		String interim = "HTTP/1.1 100 Continue\r\n\r\n";
		String end = "HTTP/1.1 200 OK\r\n";
		int line = WebhookExchange.MAX_LINE;
		for (String most : List.of(interim.repeat(WebhookExchange.MAX_INTERIM - 1) + end,
				end + "x: y\r\n".repeat(WebhookExchange.MAX_LINES), end + "x".repeat(line - 1) + "\r\n")) {
			assertThat(post(receiver(says(most + "\r\n")), LONG).status()).isEqualTo(200);
		}
		for (String more : List.of(interim.repeat(WebhookExchange.MAX_INTERIM) + end,
				end + "x: y\r\n".repeat(WebhookExchange.MAX_LINES + 1), end + "x".repeat(line + 1) + "\r\n")) {
			assertThatExceptionOfType(WebhookFailedException.class)
				.isThrownBy(() -> post(receiver(says(more + "\r\n")), LONG))
				.satisfies((failed) -> assertThat(failed.type()).isEqualTo("webhook.connection_lost"));
		}
	}

	@Test
	void whereNoWayLeadsIsLikeWhereNobodyListens() {
		assertThat(SocketWebhookSender.failure(new NoRouteToHostException("10.1.2.3"), LONG).type())
			.isEqualTo("webhook.connection_refused");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "SSH-2.0-x\r\n", "HTTP/1.1 999 x\r\n\r\n", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\n",
			"HTTP/1.1 200 OK\r\nX: y\r\n", "HTTP/2 200\r\n\r\n" })
	void whatIsNoHttpIsAFailure(String answer) throws Exception {
		assertThatExceptionOfType(WebhookFailedException.class).isThrownBy(() -> post(receiver(says(answer)), LONG))
			.satisfies((failed) -> assertThat(failed.type()).isEqualTo("webhook.connection_lost"));
	}

	@Test
	void whereNobodyListensIsAFailureThatTellsNoAddress() throws Exception {
		int port;
		try (ServerSocket closed = new ServerSocket(0)) {
			port = closed.getLocalPort();
		}
		assertThatExceptionOfType(WebhookFailedException.class)
			.isThrownBy(() -> this.sender.post(URI.create("http://localhost:" + port + "/"), Map.of(), BODY, LONG))
			.withMessageNotContainingAny("127", "localhost", String.valueOf(port))
			.satisfies((failed) -> assertThat(failed.type()).isEqualTo("webhook.connection_refused"));
	}

	@Test
	void aNameThatLeadsInsideIsRefusedBeforeAnybodyConnects() throws Exception {
		Receiver receiver = receiver(says("HTTP/1.1 200 OK\r\n\r\n"));
		AtomicInteger asked = new AtomicInteger();
		AtomicReference<String[]> addresses = new AtomicReference<>(new String[] { "127.0.0.1" });
		try (SocketWebhookSender strict = new SocketWebhookSender(false, (host) -> {
			asked.incrementAndGet();
			return addresses(addresses.get());
		}, (SSLSocketFactory) SSLSocketFactory.getDefault())) {
			URI url = URI.create("http://example.com:" + receiver.port() + "/");
			List<String[]> refused = List.of(new String[] { "127.0.0.1" }, new String[] { "1.1.1.1", "127.0.0.1" },
					new String[] { "::1" }, new String[] { "169.254.169.254" }, new String[] { "fe80::1" },
					new String[] { "fc00::1" }, new String[] { "::ffff:10.0.0.1" }, new String[] { "64:ff9b::7f00:1" },
					new String[] { "2002:7f00:1::" });
			for (String[] each : refused) {
				addresses.set(each);
				assertThatExceptionOfType(WebhookFailedException.class)
					.isThrownBy(() -> strict.post(url, Map.of(), BODY, LONG))
					.withMessageNotContaining("127")
					.satisfies((failed) -> {
						assertThat(failed.type()).isEqualTo("webhook.address_refused");
						assertThat(failed.isRetryable()).isFalse();
					});
			}
			assertThat(asked).hasValue(refused.size());
			assertThat(receiver.requests).isEmpty();
		}
	}

	/** Whoever asks a second time may get another answer. */
	@Test
	void aNameIsAskedForOnceAndThatAddressConnectedTo() throws Exception {
		Receiver receiver = receiver(says("HTTP/1.1 204 No Content\r\n\r\n"));
		AtomicInteger asked = new AtomicInteger();
		try (SocketWebhookSender pinned = new SocketWebhookSender(true, (host) -> {
			asked.incrementAndGet();
			return addresses("127.0.0.1");
		}, (SSLSocketFactory) SSLSocketFactory.getDefault())) {
			URI url = URI.create("http://no.such.name.example:" + receiver.port());
			assertThat(pinned.post(url, Map.of(), BODY, LONG).status()).isEqualTo(204);
			assertThat(asked).hasValue(1);
			assertThat(receiver.next()).startsWith("POST / HTTP/1.1\r\nHost: no.such.name.example:");
		}
	}

	/** Nothing listens at the first answer, and the second answer leads inside. */
	@Test
	void aNameIsNotResolvedAgainIfItsAddressFails() throws Exception {
		Receiver inside = receiver(says("HTTP/1.1 204 No Content\r\n\r\n"));
		AtomicInteger asked = new AtomicInteger();
		try (SocketWebhookSender pinned = sender(
				(host) -> addresses((asked.incrementAndGet() == 1) ? "127.0.0.2" : "127.0.0.1"))) {
			URI url = URI.create("http://rebinding.example:" + inside.port() + "/");
			assertThat(failure(() -> pinned.post(url, Map.of(), BODY, LONG)).type())
				.isEqualTo("webhook.connection_refused");
		}
		assertThat(asked).hasValue(1);
		assertThat(inside.requests).isEmpty();
	}

	@Test
	void theFirstAddressThatCanBeConnectedToIsUsed() throws Exception {
		Receiver receiver = receiver(says("HTTP/1.1 204 No Content\r\n\r\n"));
		try (SocketWebhookSender several = sender((host) -> addresses("127.0.0.2", "127.0.0.1"))) {
			URI url = URI.create("http://[::1]:" + receiver.port() + "//a?");
			assertThat(several.post(url, Map.of(), BODY, LONG).status()).isEqualTo(204);
		}
		assertThat(receiver.next()).startsWith("POST //a? HTTP/1.1\r\nHost: [::1]:" + receiver.port() + "\r\n");
	}

	@Test
	void aLookUpThatEndsAfterTheTimeoutConnectsToNothing() throws Exception {
		Receiver receiver = receiver(says("HTTP/1.1 204 No Content\r\n\r\n"));
		CompletableFuture<InetAddress[]> late = new CompletableFuture<>();
		AtomicReference<Thread> exchange = new AtomicReference<>();
		try (SocketWebhookSender slow = sender((host) -> {
			exchange.set(Thread.currentThread());
			return late.join();
		})) {
			URI url = URI.create("http://x.example:" + receiver.port() + "/");
			assertThat(failure(() -> slow.post(url, Map.of(), BODY, Duration.ofMillis(300))).type())
				.isEqualTo("webhook.timeout");
		}
		finally {
			late.complete(addresses("127.0.0.1"));
		}
		Threads.awaitEnd(exchange.get());
		assertThat(exchange.get().isAlive()).isFalse();
		// Connections are accepted in their order.
		post(receiver, LONG);
		assertThat(receiver.kept).hasSize(1);
	}

	@Test
	void aHandshakeThatDoesNotEndCountsTowardsTheTimeout() throws Exception {
		Receiver receiver = receiver((out) -> out.flush());
		receiver.impatient = true;
		receiver.keepOpen = true;
		try (SocketWebhookSender several = sender((host) -> addresses("127.0.0.1", "127.0.0.1"))) {
			URI url = URI.create("https://x.example:" + receiver.port() + "/");
			assertThat(failure(() -> several.post(url, Map.of(), BODY, Duration.ofMillis(500))).type())
				.isEqualTo("webhook.timeout");
		}
		assertThat(receiver.kept).hasSizeLessThan(2);
	}

	@Test
	void aBodyThatDripsIsReadUntilTheTimeout() throws Exception {
		Receiver receiver = receiver((out) -> {
			out.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n".getBytes(StandardCharsets.UTF_8));
			while (true) {
				out.write('x');
				out.flush();
				TimeUnit.MILLISECONDS.sleep(50);
			}
		});
		WebhookReply reply = post(receiver, Duration.ofSeconds(3));
		assertThat(reply.isSuccess()).isTrue();
		assertThat(reply.body()).matches("x+").hasSizeLessThan(WebhookExchange.MAX_BODY);
		assertThat(reply.duration()).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(15));
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "x\r\n ", "X: y\r\n" })
	void aHeadWithoutAnEndIsRejectedAtTheLimit(String part) throws Exception {
		AtomicLong written = new AtomicLong();
		Receiver receiver = receiver((out) -> {
			out.write("HTTP/1.1 200 OK\r\nX: ".getBytes(StandardCharsets.UTF_8));
			byte[] more = part.repeat(1000).getBytes(StandardCharsets.UTF_8);
			while (true) {
				out.write(more);
				written.addAndGet(more.length);
			}
		});
		assertThat(failure(() -> post(receiver, LONG)).type()).isEqualTo("webhook.connection_lost");
		// The rest are buffers of sockets.
		assertThat(written).hasValueLessThan(20_000_000);
	}

	@ParameterizedTest
	@ValueSource(strings = { "no colon", ": no name", "Transfer-Encoding: x" })
	void aBrokenHeaderDoesNotHideTheStatus(String header) throws Exception {
		WebhookReply reply = post(receiver(says("HTTP/1.1 200 OK\r\n" + header + "\r\n\r\nabc")), LONG);
		assertThat(reply.status()).isEqualTo(200);
	}

	@Test
	void aCompressedBodyIsNotDecompressed() throws Exception {
		WebhookReply reply = post(receiver(says("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nabc")), LONG);
		assertThat(reply.body()).isEqualTo("abc");
	}

	@Test
	void eachEventHasItsOwnConnectionAndNoCookies() throws Exception {
		Receiver receiver = receiver(
				says("HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n"));
		receiver.keepOpen = true;
		post(receiver, LONG);
		post(receiver, LONG);
		assertThat(receiver.next()).isEqualTo(receiver.next()).doesNotContain("Cookie");
		assertThat(receiver.kept).hasSize(2);
	}

	@Test
	void aPostThatFailsIsNotRepeated() throws Exception {
		Receiver receiver = receiver(says(""));
		assertThat(failure(() -> post(receiver, LONG)).type()).isEqualTo("webhook.connection_lost");
		assertThat(receiver.requests).hasSize(1);
	}

	@Test
	void anHttpProxyIsNotUsed() throws Exception {
		Receiver proxy = receiver(says("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
		Receiver receiver = receiver(says("HTTP/1.1 204 No Content\r\n\r\n"));
		System.setProperty("http.proxyHost", "127.0.0.1");
		System.setProperty("http.proxyPort", String.valueOf(proxy.port()));
		try (SocketWebhookSender direct = sender((host) -> addresses("127.0.0.1"))) {
			URI url = URI.create("http://x.example:" + receiver.port() + "/");
			assertThat(direct.post(url, Map.of(), BODY, LONG).status()).isEqualTo(204);
		}
		finally {
			System.clearProperty("http.proxyHost");
			System.clearProperty("http.proxyPort");
		}
		assertThat(proxy.requests).isEmpty();
	}

	@Test
	void aNameThatNobodyKnowsIsAFailure() {
		try (SocketWebhookSender lost = new SocketWebhookSender(true, (host) -> {
			throw new UnknownHostException("10.0.0.53 says no");
		}, (SSLSocketFactory) SSLSocketFactory.getDefault())) {
			assertThatExceptionOfType(WebhookFailedException.class)
				.isThrownBy(() -> lost.post(URI.create("https://x.example/"), Map.of(), BODY, LONG))
				.withMessageNotContaining("10.")
				.satisfies((failed) -> assertThat(failed.type()).isEqualTo("webhook.unknown_host"));
		}
	}

	@Test
	void whoDoesNotSpeakTlsIsAFailure() throws Exception {
		Receiver receiver = receiver(says("HTTP/1.1 200 OK\r\n\r\n"));
		receiver.impatient = true;
		assertThatExceptionOfType(WebhookFailedException.class).isThrownBy(
				() -> this.sender.post(URI.create("https://localhost:" + receiver.port() + "/"), Map.of(), BODY, LONG))
			.satisfies((failed) -> assertThat(failed.type()).isEqualTo("webhook.tls"));
	}

	private static InetAddress[] addresses(String... texts) throws UnknownHostException {
		InetAddress[] addresses = new InetAddress[texts.length];
		for (int i = 0; i < texts.length; i++) {
			addresses[i] = InetAddress.getByName(texts[i]);
		}
		return addresses;
	}

	@FunctionalInterface
	private interface Answer {

		void write(OutputStream out) throws Exception;

	}

	private static final class Receiver implements AutoCloseable {

		private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();

		private final List<Socket> kept = new CopyOnWriteArrayList<>();

		private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

		private volatile boolean keepOpen;

		private volatile boolean impatient;

		Receiver(Answer answer) throws IOException {
			Thread thread = new Thread(() -> run(answer), "receiver");
			thread.setDaemon(true);
			thread.start();
		}

		int port() {
			return this.server.getLocalPort();
		}

		String next() throws InterruptedException {
			String request = this.requests.poll(10, TimeUnit.SECONDS);
			return (request != null) ? request : "nothing";
		}

		private void run(Answer answer) {
			while (!this.server.isClosed()) {
				try {
					Socket socket = this.server.accept();
					this.kept.add(socket);
					answer(socket, answer);
				}
				catch (Exception ex) {
					// The sender is gone, or the test is over.
					continue;
				}
			}
		}

		private void answer(Socket socket, Answer answer) throws Exception {
			if (!this.impatient) {
				this.requests.add(read(socket.getInputStream()));
			}
			answer.write(socket.getOutputStream());
			socket.getOutputStream().flush();
			if (!this.keepOpen) {
				socket.close();
			}
		}

		private static String read(InputStream in) throws IOException {
			StringBuilder head = new StringBuilder();
			while (head.indexOf("\r\n\r\n") < 0) {
				head.append((char) in.read());
			}
			return head + new String(in.readNBytes(BODY.length), StandardCharsets.UTF_8);
		}

		@Override
		public void close() throws IOException {
			this.server.close();
			for (Socket socket : this.kept) {
				socket.close();
			}
		}

	}

}
