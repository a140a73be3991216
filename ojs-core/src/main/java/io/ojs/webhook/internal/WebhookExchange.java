package io.ojs.webhook.internal;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

import org.jspecify.annotations.Nullable;

/**
 * One request and its answer (HTTP/1.1) on one connection. Reads no more of the answer
 * than its callers use.
 */
final class WebhookExchange implements Callable<Boolean> {

	/** The largest part of the body that is read. */
	static final int MAX_BODY = 1024;

	static final int MAX_LINE = 8192;

	static final int MAX_LINES = 200;

	static final int MAX_INTERIM = 10;

	private static final int CONNECT_MILLIS = 10_000;

	private final URI url;

	private final Map<String, String> headers;

	private final byte[] content;

	private final SocketWebhookSender.Names names;

	private final SSLSocketFactory tls;

	private final int timeoutMillis;

	private volatile @Nullable Socket socket;

	private volatile boolean aborted;

	private volatile int status;

	/** Replaced, never changed, because another thread reads it. */
	private volatile byte[] answer = {};

	WebhookExchange(URI url, Map<String, String> headers, byte[] content, SocketWebhookSender.Names names,
			SSLSocketFactory tls, Duration timeout) {
		this.url = url;
		this.headers = headers;
		this.content = content;
		this.names = names;
		this.tls = tls;
		this.timeoutMillis = (int) Math.max(1, timeout.toMillis());
	}

	/** The status of the answer; 0 before there is one. */
	int status() {
		return this.status;
	}

	/** The part of the body that was read. */
	String body() {
		return new String(this.answer, StandardCharsets.UTF_8);
	}

	/** Ends the exchange, even while it waits. */
	void abort() {
		this.aborted = true;
		Socket open = this.socket;
		if (open != null) {
			close(open);
		}
	}

	private static void close(Socket open) {
		try {
			open.close();
		}
		catch (IOException ex) {
			// The connection is not used any more.
			return;
		}
	}

	@Override
	public Boolean call() throws IOException {
		String host = this.url.getHost();
		boolean encrypted = this.url.getScheme().equalsIgnoreCase("https");
		int port = (this.url.getPort() > 0) ? this.url.getPort() : (encrypted ? 443 : 80);
		Socket plain = connect(this.names.find(host), port);
		try (Socket connection = encrypted ? encrypted(plain, host, port) : plain) {
			OutputStream out = connection.getOutputStream();
			out.write(head());
			out.write(this.content);
			out.flush();
			read(new BufferedInputStream(connection.getInputStream()));
		}
		finally {
			close(plain);
		}
		return true;
	}

	/** Connects to the first address that answers. */
	private Socket connect(InetAddress[] addresses, int port) throws IOException {
		IOException failure = null;
		for (InetAddress address : addresses) {
			Socket attempt = new Socket();
			this.socket = attempt;
			try {
				if (this.aborted) {
					throw new IOException("It is too late.");
				}
				attempt.connect(new InetSocketAddress(address, port), Math.min(CONNECT_MILLIS, this.timeoutMillis));
				attempt.setSoTimeout(this.timeoutMillis);
				attempt.setTcpNoDelay(true);
				return attempt;
			}
			catch (IOException ex) {
				close(attempt);
				failure = ex;
			}
		}
		throw (failure != null) ? failure : new IOException("It has no address.");
	}

	private SSLSocket encrypted(Socket plain, String host, int port) throws IOException {
		String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : WebhookRules.withoutDot(host);
		SSLSocket secure = (SSLSocket) this.tls.createSocket(plain, name, port, true);
		SSLParameters parameters = secure.getSSLParameters();
		parameters.setEndpointIdentificationAlgorithm("HTTPS");
		if (!host.startsWith("[") && !name.matches("[0-9.]+")) {
			parameters.setServerNames(List.of(new SNIHostName(name)));
		}
		secure.setSSLParameters(parameters);
		secure.startHandshake();
		return secure;
	}

	private byte[] head() {
		String path = this.url.getRawPath();
		StringBuilder head = new StringBuilder("POST ").append((path == null || path.isEmpty()) ? "/" : path);
		if (this.url.getRawQuery() != null) {
			head.append('?').append(this.url.getRawQuery());
		}
		head.append(" HTTP/1.1\r\nHost: ").append(this.url.getHost());
		if (this.url.getPort() > 0) {
			head.append(':').append(this.url.getPort());
		}
		head.append("\r\n");
		this.headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
		head.append("Content-Length: ").append(this.content.length).append("\r\nConnection: close\r\n\r\n");
		return head.toString().getBytes(StandardCharsets.US_ASCII);
	}

	private void read(InputStream in) throws IOException {
		int code = 0;
		List<String> headers = List.of();
		for (int i = 0; i < MAX_INTERIM && code / 100 <= 1; i++) {
			code = code(line(in));
			headers = headers(in);
		}
		if (code / 100 <= 1) {
			throw new IOException("There is no answer behind what comes before one.");
		}
		// The status says whether the receiver took the event, even if the headers are
		// broken.
		this.status = code;
		boolean chunked = false;
		long length = Long.MAX_VALUE;
		for (String header : headers) {
			chunked |= header.startsWith("transfer-encoding:") && header.contains("chunked");
			if (header.startsWith("content-length:")) {
				length = number(header.substring(header.indexOf(':') + 1), 10);
			}
		}
		if (code != 204 && code != 304) {
			body(in, chunked, length);
		}
	}

	/** Reads the header lines, in lower case. */
	private static List<String> headers(InputStream in) throws IOException {
		List<String> headers = new ArrayList<>();
		for (String line = line(in); !line.isEmpty(); line = line(in)) {
			if (headers.size() >= MAX_LINES) {
				throw new IOException("There are too many headers.");
			}
			headers.add(line.toLowerCase(Locale.ROOT));
		}
		return headers;
	}

	private void body(InputStream in, boolean chunked, long length) throws IOException {
		if (!chunked) {
			copy(in, length);
			return;
		}
		while (this.answer.length < MAX_BODY) {
			long chunk = number(line(in).split(";", 2)[0], 16);
			if (chunk == 0) {
				return;
			}
			copy(in, chunk);
			line(in);
		}
	}

	private void copy(InputStream in, long length) throws IOException {
		byte[] buffer = new byte[MAX_BODY];
		long left = Math.min(length, (long) MAX_BODY - this.answer.length);
		while (left > 0) {
			int count = in.read(buffer, 0, (int) left);
			if (count < 0) {
				return;
			}
			int before = this.answer.length;
			byte[] longer = Arrays.copyOf(this.answer, before + count);
			System.arraycopy(buffer, 0, longer, before, count);
			this.answer = longer;
			left -= count;
		}
	}

	private static int code(String line) throws IOException {
		String[] words = line.split(" ", 3);
		if (words.length < 2 || !words[0].startsWith("HTTP/1.") || !words[1].matches("[1-5][0-9]{2}")) {
			throw new IOException("That is no answer of HTTP.");
		}
		return Integer.parseInt(words[1]);
	}

	private static long number(String text, int radix) throws IOException {
		try {
			long number = Long.parseLong(text.strip(), radix);
			if (number >= 0) {
				return number;
			}
		}
		catch (NumberFormatException ex) {
			throw new IOException("That is no length.", ex);
		}
		throw new IOException("That is no length.");
	}

	private static String line(InputStream in) throws IOException {
		StringBuilder line = new StringBuilder();
		for (int next = in.read(); next != '\n'; next = in.read()) {
			if (next < 0) {
				throw new EOFException("The answer ends within a line.");
			}
			if (line.length() >= MAX_LINE) {
				throw new IOException("A line is too long.");
			}
			line.append((char) next);
		}
		int end = line.length();
		return (end > 0 && line.charAt(end - 1) == '\r') ? line.substring(0, end - 1) : line.toString();
	}

}
