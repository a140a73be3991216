package io.ojs.amqp.internal.write;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.locks.ReentrantLock;

import javax.net.SocketFactory;

import com.rabbitmq.client.ConnectionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Creates the plain sockets that {@link WriteCoalescing} works on.
 */
public final class CoalescingSocketFactory extends SocketFactory {

	/**
	 * Makes a connection factory use such sockets for new connections. If the factory
	 * uses TLS, or the application has set sockets of its own, nothing changes.
	 */
	public static void replaceDefault(ConnectionFactory factory) {
		SocketFactory sockets = factory.getSocketFactory();
		// A factory with TLS contexts has no socket factory either.
		if (!factory.isSSL() && (sockets == null || sockets == SocketFactory.getDefault())) {
			factory.setSocketFactory(new CoalescingSocketFactory());
		}
	}

	@Override
	public Socket createSocket() {
		return new CoalescingSocket();
	}

	@Override
	public Socket createSocket(String host, int port) throws IOException {
		return connected(new InetSocketAddress(host, port), null);
	}

	@Override
	public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
		return connected(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
	}

	@Override
	public Socket createSocket(InetAddress host, int port) throws IOException {
		return connected(new InetSocketAddress(host, port), null);
	}

	@Override
	public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) throws IOException {
		return connected(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
	}

	private static Socket connected(InetSocketAddress to, @Nullable InetSocketAddress from) throws IOException {
		Socket socket = new CoalescingSocket();
		try {
			if (from != null) {
				socket.bind(from);
			}
			socket.connect(to);
			return socket;
		}
		catch (IOException ex) {
			socket.close();
			throw ex;
		}
	}

	private static final class CoalescingSocket extends Socket {

		private final ReentrantLock opening = new ReentrantLock();

		private volatile @Nullable CoalescingOutputStream output;

		@Override
		public OutputStream getOutputStream() throws IOException {
			this.opening.lock();
			try {
				CoalescingOutputStream opened = this.output;
				if (opened == null) {
					opened = new CoalescingOutputStream(super.getOutputStream(), this);
					this.output = opened;
				}
				return opened;
			}
			finally {
				this.opening.unlock();
			}
		}

		@Override
		public void close() throws IOException {
			super.close();
			CoalescingOutputStream opened = this.output;
			if (opened != null) {
				opened.end();
			}
		}

	}

}
