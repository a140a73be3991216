package io.ojs.webhook.internal;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.ParseException;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.io.HttpMessageParser;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.http.message.LazyLaxLineParser;
import org.apache.hc.core5.http.message.MessageSupport;
import org.apache.hc.core5.io.Closer;
import org.apache.hc.core5.util.CharArrayBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer on one connection. HttpCore writes and reads HTTP/1.1 on it.
 * Names and connections are not left to a client such as HttpClient: its attempts to
 * connect go on after the timeout.
 */
final class WebhookExchange implements Callable<Boolean> {

	/** The largest part of the body that is read. */
	static final int MAX_BODY = 1024;

	static final int MAX_LINE = 8192;

	static final int MAX_LINES = 200;

	static final int MAX_INTERIM = 10;

	private static final int MAX_STATUS = 599;

	private static final int CONNECT_MILLIS = 10_000;

	/** HttpCore rejects an answer that reaches a limit. */
	private static final Http1Config LIMITS = Http1Config.custom()
		.setMaxLineLength(MAX_LINE + 1)
		.setMaxHeaderCount(MAX_LINES + 1)
		.build();

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
		Closer.closeQuietly(this.socket);
	}

	@Override
	public Boolean call() throws IOException, HttpException {
		String host = this.url.getHost();
		boolean encrypted = this.url.getScheme().equalsIgnoreCase("https");
		int port = (this.url.getPort() > 0) ? this.url.getPort() : (encrypted ? 443 : 80);
		Socket plain = connect(this.names.find(host), port);
		try (Socket connection = encrypted ? encrypted(plain, host, port) : plain) {
			exchange(connection);
		}
		finally {
			Closer.closeQuietly(plain);
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
				Closer.closeQuietly(attempt);
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

	private void exchange(Socket connection) throws IOException, HttpException {
		DefaultBHttpClientConnection http = new DefaultBHttpClientConnection(LIMITS, null, null, null, null, null,
				(config) -> parser());
		http.bind(connection);
		ClassicHttpRequest request = request();
		http.sendRequestHeader(request);
		http.sendRequestEntity(request);
		http.flush();
		ClassicHttpResponse response = http.receiveResponseHeader();
		for (int i = 1; i < MAX_INTERIM && response.getCode() / 100 == 1; i++) {
			response = http.receiveResponseHeader();
		}
		if (response.getCode() / 100 == 1 || response.getCode() > MAX_STATUS) {
			throw new ProtocolException("There is no answer.");
		}
		// The status says whether the receiver took the event, even if the rest of the
		// answer is broken.
		this.status = response.getCode();
		if (MessageSupport.canResponseHaveBody(response)) {
			http.receiveResponseEntity(response);
			// Not closed: that would read the body to its end.
			read(response.getEntity().getContent());
		}
	}

	private ClassicHttpRequest request() {
		ClassicHttpRequest request = new BasicClassicHttpRequest("POST", this.url);
		request.setHeader(HttpHeaders.HOST, request.getAuthority());
		this.headers.forEach(request::setHeader);
		request.setHeader(HttpHeaders.CONTENT_LENGTH, this.content.length);
		request.setHeader(HttpHeaders.CONNECTION, "close");
		request.setEntity(new ByteArrayEntity(this.content, null));
		return request;
	}

	private void read(InputStream in) throws IOException {
		byte[] buffer = new byte[MAX_BODY];
		int length = 0;
		for (int count = 0; count >= 0 && length < MAX_BODY; count = in.read(buffer, length, MAX_BODY - length)) {
			length += count;
			this.answer = Arrays.copyOf(buffer, length);
		}
	}

	private static HttpMessageParser<ClassicHttpResponse> parser() {
		HttpMessageParser<ClassicHttpResponse> parser = new DefaultHttpResponseParser(LIMITS, new LenientParser(),
				null);
		return (buffer, in) -> parser.parse(buffer, new Head(in));
	}

	/** Accepts a line without a header, so that the status of the answer counts. */
	private static final class LenientParser extends LazyLaxLineParser {

		@Override
		public Header parseHeader(CharArrayBuffer line) {
			try {
				return super.parseHeader(line);
			}
			catch (ParseException ex) {
				return new BasicHeader("Malformed", line);
			}
		}

	}

	/** Rejects a head that breaks off, which HttpCore accepts. */
	private static final class Head extends FilterInputStream {

		Head(InputStream in) {
			super(in);
		}

		@Override
		public int read(byte[] bytes, int offset, int length) throws IOException {
			int count = super.read(bytes, offset, length);
			if (count < 0) {
				throw new EOFException("The answer ends within its head.");
			}
			return count;
		}

	}

}
