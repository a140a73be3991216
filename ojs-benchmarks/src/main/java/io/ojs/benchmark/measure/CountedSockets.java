package io.ojs.benchmark.measure;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.LongAdder;

import javax.net.SocketFactory;

/**
 * Sockets to PostgreSQL that count how often this process waits for an answer: a read
 * from the network behind a write is a round trip. The driver makes it by its name.
 */
public final class CountedSockets extends SocketFactory {

	private static final LongAdder ROUND_TRIPS = new LongAdder();

	/**
	 * Has the driver count.
	 * @param url the JDBC URL of a database of PostgreSQL
	 * @return the URL with these sockets
	 */
	static String in(String url) {
		return url + (url.contains("?") ? "&" : "?") + "socketFactory=" + CountedSockets.class.getName();
	}

	/** How many there have been. */
	static long roundTrips() {
		return ROUND_TRIPS.sum();
	}

	@Override
	public Socket createSocket() {
		return new CountedSocket();
	}

	@Override
	public Socket createSocket(String host, int port) {
		throw notConnected();
	}

	@Override
	public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
		throw notConnected();
	}

	@Override
	public Socket createSocket(InetAddress host, int port) {
		throw notConnected();
	}

	@Override
	public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
		throw notConnected();
	}

	private static UnsupportedOperationException notConnected() {
		return new UnsupportedOperationException("The driver connects its sockets itself");
	}

	/** One thread at a time uses it. */
	private static final class CountedSocket extends Socket {

		private volatile boolean asked;

		@Override
		public InputStream getInputStream() throws IOException {
			return new FilterInputStream(super.getInputStream()) {

				@Override
				public int read() throws IOException {
					count();
					return super.read();
				}

				@Override
				public int read(byte[] bytes, int offset, int length) throws IOException {
					count();
					return super.read(bytes, offset, length);
				}

			};
		}

		private void count() {
			if (this.asked) {
				this.asked = false;
				ROUND_TRIPS.increment();
			}
		}

		@Override
		public OutputStream getOutputStream() throws IOException {
			return new FilterOutputStream(super.getOutputStream()) {

				@Override
				public void write(int value) throws IOException {
					CountedSocket.this.asked = true;
					this.out.write(value);
				}

				@Override
				public void write(byte[] bytes, int offset, int length) throws IOException {
					CountedSocket.this.asked = true;
					this.out.write(bytes, offset, length);
				}

			};
		}

	}

}
