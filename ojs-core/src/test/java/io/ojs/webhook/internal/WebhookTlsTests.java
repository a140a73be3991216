package io.ojs.webhook.internal;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

import io.ojs.webhook.WebhookFailedException;
import io.ojs.webhook.WebhookReply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Connections are encrypted, and only to who shows a certificate of the name that was
 * subscribed to.
 */
class WebhookTlsTests {

	private static final char[] PASSWORD = "changeit".toCharArray();

	@TempDir
	private Path directory;

	private SSLContext context;

	private SSLServerSocket server;

	private volatile List<SNIServerName> asked = List.of();

	@BeforeEach
	void listen() throws Exception {
		this.context = context(certificate("receiver.example"));
		this.server = (SSLServerSocket) this.context.getServerSocketFactory()
			.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
		Thread thread = new Thread(this::answer, "receiver");
		thread.setDaemon(true);
		thread.start();
	}

	@AfterEach
	void close() throws IOException {
		this.server.close();
	}

	private Path certificate(String name) throws Exception {
		Path file = this.directory.resolve("keys.p12");
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", "receiver", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=" + name,
				"-ext", "san=dns:" + name, "-validity", "2", "-storetype", "PKCS12", "-keystore", file.toString(),
				"-storepass", new String(PASSWORD))
			.redirectErrorStream(true)
			.start();
		assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
		assertThat(keytool.exitValue()).isZero();
		return file;
	}

	/** Shows the certificate, and trusts it and nothing else. */
	private static SSLContext context(Path file) throws Exception {
		KeyStore keys = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(file)) {
			keys.load(in, PASSWORD);
		}
		KeyStore trusted = KeyStore.getInstance("PKCS12");
		trusted.load(null, null);
		trusted.setCertificateEntry("receiver", keys.getCertificate("receiver"));
		KeyManagerFactory shown = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		shown.init(keys, PASSWORD);
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(trusted);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(shown.getKeyManagers(), trust.getTrustManagers(), null);
		return context;
	}

	private void answer() {
		while (!this.server.isClosed()) {
			try (SSLSocket socket = (SSLSocket) this.server.accept()) {
				socket.startHandshake();
				this.asked = ((ExtendedSSLSession) socket.getSession()).getRequestedServerNames();
				socket.getInputStream().read(new byte[1000]);
				socket.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.UTF_8));
			}
			catch (IOException ex) {
				// Whoever does not trust it goes away.
				continue;
			}
		}
	}

	private WebhookReply post(String host, SSLSocketFactory tls) throws Exception {
		try (SocketWebhookSender sender = new SocketWebhookSender(true,
				(name) -> new InetAddress[] { InetAddress.getLoopbackAddress() }, tls)) {
			return sender.post(URI.create("https://%s:%d/".formatted(host, this.server.getLocalPort())), Map.of(),
					new byte[] { '{', '}' }, Duration.ofSeconds(20));
		}
	}

	@Test
	void whoShowsTheRightNameGetsIt() throws Exception {
		assertThat(post("receiver.example", this.context.getSocketFactory()).status()).isEqualTo(200);
		assertThat(this.asked.toString()).contains("receiver.example");
	}

	/** It is the same name, and a certificate has it without the dot. */
	@Test
	void aNameMayEndWithADot() throws Exception {
		assertThat(post("receiver.example.", this.context.getSocketFactory()).status()).isEqualTo(200);
		assertThat(this.asked.toString()).contains("receiver.example").doesNotContain("receiver.example.");
	}

	@Test
	void whoShowsAnotherNameGetsNothing() {
		for (String host : List.of("other.example", "127.0.0.1")) {
			assertThatExceptionOfType(WebhookFailedException.class)
				.isThrownBy(() -> post(host, this.context.getSocketFactory()))
				.withMessageNotContaining(host)
				.satisfies((failed) -> assertThat(failed.type()).isEqualTo("webhook.tls"));
		}
	}

	@Test
	void whoIsTrustedByNobodyGetsNothing() {
		assertThatExceptionOfType(WebhookFailedException.class)
			.isThrownBy(() -> post("receiver.example", (SSLSocketFactory) SSLSocketFactory.getDefault()))
			.satisfies((failed) -> assertThat(failed.type()).isEqualTo("webhook.tls"));
	}

}
