package io.ojs.boot.it;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * Says over HTTP what no client library would let anybody say.
 */
final class RawHttp {

	private static final int PATIENCE_MS = 30_000;

	private final int port;

	RawHttp(int port) {
		this.port = port;
	}

	/**
	 * Sends bytes, and that there are no more; {@code Connection: close} should be among
	 * them.
	 */
	Reply send(byte[] request) {
		try (Socket socket = new Socket("localhost", this.port)) {
			socket.setSoTimeout(PATIENCE_MS);
			try {
				socket.getOutputStream().write(request);
				socket.shutdownOutput();
			}
			catch (SocketException ex) {
				// It was refused before its end; the answer may have come.
			}
			return reply(read(socket));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static byte[] read(Socket socket) throws IOException {
		ByteArrayOutputStream answer = new ByteArrayOutputStream();
		byte[] buffer = new byte[8192];
		try {
			for (int read = socket.getInputStream().read(buffer); read >= 0; read = socket.getInputStream()
				.read(buffer)) {
				answer.write(buffer, 0, read);
			}
		}
		catch (SocketException ex) {
			// Reset, because not all was read that was sent.
		}
		return answer.toByteArray();
	}

	private static Reply reply(byte[] answer) {
		String text = new String(answer, StandardCharsets.ISO_8859_1);
		int end = text.indexOf("\r\n\r\n");
		if (end < 0) {
			return new Reply(0, Map.of(), answer);
		}
		if (text.startsWith("HTTP/1.1 100")) {
			return reply(Arrays.copyOfRange(answer, end + 4, answer.length));
		}
		String[] lines = text.substring(0, end).split("\r\n");
		Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		for (int i = 1; i < lines.length; i++) {
			String[] parts = lines[i].split(":", 2);
			headers.put(parts[0], parts[1].strip());
		}
		return new Reply(Integer.parseInt(lines[0].split(" ")[1]), headers,
				Arrays.copyOfRange(answer, end + 4, answer.length));
	}

	/**
	 * An answer.
	 *
	 * @param status its status; 0 if the connection was closed without one
	 * @param headers its headers
	 * @param body what came behind them
	 */
	record Reply(int status, Map<String, String> headers, byte[] body) {

		@Nullable String header(String name) {
			return this.headers.get(name);
		}

		String text() {
			return new String(this.body, StandardCharsets.UTF_8);
		}

	}

}
