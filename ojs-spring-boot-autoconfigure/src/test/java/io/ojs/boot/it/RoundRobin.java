package io.ojs.boot.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Passes TCP connections on to servers of this machine, by turns. One whose server cannot
 * be reached goes to the next one; one that breaks, breaks for its client too, as whoever
 * is in the middle cannot know what has been done already.
 */
final class RoundRobin implements AutoCloseable {

	private static final int BUFFER = 16 * 1024;

	private static final int BACKLOG = 256;

	private static final int CONNECT_TIMEOUT_MILLIS = 2_000;

	private final ServerSocket server;

	private final List<InetSocketAddress> targets;

	private final AtomicInteger next = new AtomicInteger();

	private final Set<Socket> open = ConcurrentHashMap.newKeySet();

	private final ExecutorService threads = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "round-robin");
		thread.setDaemon(true);
		return thread;
	});

	RoundRobin(int... ports) {
		InetAddress loopback = InetAddress.getLoopbackAddress();
		this.targets = Arrays.stream(ports).mapToObj((port) -> new InetSocketAddress(loopback, port)).toList();
		try {
			this.server = new ServerSocket(0, BACKLOG, loopback);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.threads.execute(this::accept);
	}

	int port() {
		return this.server.getLocalPort();
	}

	private void accept() {
		while (!this.server.isClosed()) {
			try {
				Socket client = this.server.accept();
				this.threads.execute(() -> pass(client));
			}
			catch (IOException ex) {
				// It is closed, or the client is gone again.
			}
		}
	}

	private void pass(Socket client) {
		this.open.add(client);
		Socket target = connect();
		if (target == null) {
			close(client);
			return;
		}
		this.open.add(target);
		this.threads.execute(() -> pump(target, client));
		pump(client, target);
	}

	private Socket connect() {
		int first = Math.floorMod(this.next.getAndIncrement(), this.targets.size());
		for (int i = 0; i < this.targets.size(); i++) {
			Socket socket = new Socket();
			try {
				socket.setTcpNoDelay(true);
				socket.connect(this.targets.get((first + i) % this.targets.size()), CONNECT_TIMEOUT_MILLIS);
				return socket;
			}
			catch (IOException ex) {
				close(socket);
			}
		}
		return null;
	}

	/** However one way ends, the connection is over: HTTP has no use for half of one. */
	private void pump(Socket from, Socket to) {
		byte[] buffer = new byte[BUFFER];
		try {
			for (int read = from.getInputStream().read(buffer); read >= 0; read = from.getInputStream().read(buffer)) {
				to.getOutputStream().write(buffer, 0, read);
			}
		}
		catch (IOException ex) {
			// The other side gets to know by the end of its connection.
		}
		close(from);
		close(to);
	}

	private void close(Socket socket) {
		this.open.remove(socket);
		try {
			socket.close();
		}
		catch (IOException ex) {
			// It is of no use any more.
		}
	}

	@Override
	public void close() {
		try {
			this.server.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		finally {
			List.copyOf(this.open).forEach(this::close);
			this.threads.shutdown();
		}
	}

}
