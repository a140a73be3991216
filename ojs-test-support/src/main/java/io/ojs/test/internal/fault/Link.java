package io.ojs.test.internal.fault;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection through a proxy: a socket on each side, and a thread for each direction.
 * An orderly close is forwarded as a close, a reset as a reset.
 */
final class Link {

	private static final Logger logger = LoggerFactory.getLogger(Link.class);

	private static final int CONNECT_TIMEOUT_MILLIS = 5_000;

	private static final int BUFFER = 32 * 1024;

	private final Gate gate;

	private final Socket client;

	private final Socket broker = new Socket();

	private final AtomicInteger ways = new AtomicInteger(2);

	private final List<Thread> threads;

	private final Consumer<Link> ended;

	private volatile boolean over;

	Link(Gate gate, Socket client, InetSocketAddress target, Way toBroker, Way fromBroker, Consumer<Link> ended) {
		this.gate = gate;
		this.client = client;
		this.ended = ended;
		Thread backward = thread("from", () -> pump(this.broker, this.client, fromBroker));
		Thread forward = thread("to", () -> {
			if (connect(target)) {
				backward.start();
				pump(this.client, this.broker, toBroker);
			}
		});
		this.threads = List.of(forward, backward);
	}

	void start() {
		this.threads.get(0).start();
	}

	private Thread thread(String way, Runnable task) {
		Thread thread = new Thread(task, "ojs-fault-proxy-" + this.client.getPort() + "-" + way + "-broker");
		thread.setDaemon(true);
		return thread;
	}

	private boolean connect(InetSocketAddress target) {
		try {
			this.client.setTcpNoDelay(true);
			this.broker.setTcpNoDelay(true);
			this.broker.connect(target, CONNECT_TIMEOUT_MILLIS);
			return true;
		}
		catch (IOException ex) {
			// The application sees the same as without a proxy: no connection.
			logger.debug("No connection to {}", target, ex);
			reset();
			return false;
		}
	}

	private void pump(Socket from, Socket to, Way way) {
		byte[] buffer = new byte[BUFFER];
		try {
			while (true) {
				int read = from.getInputStream().read(buffer);
				// This holds back the end of the stream, too, because a network that
				// hangs does not deliver it.
				this.gate.pass(way.direction(), () -> this.over);
				if (read < 0) {
					to.shutdownOutput();
					break;
				}
				way.pass(buffer, read, to.getOutputStream());
			}
			if (this.ways.decrementAndGet() == 0) {
				end();
			}
		}
		catch (IOException ex) {
			reset();
		}
	}

	/** Ends both sides with a TCP reset. */
	void reset() {
		lingerNot(this.client);
		lingerNot(this.broker);
		end();
	}

	/** Makes a close send a reset and discard unsent bytes. */
	static void lingerNot(Socket socket) {
		try {
			socket.setSoLinger(true, 0);
		}
		catch (IOException ex) {
			// The socket is closed already.
		}
	}

	private void end() {
		this.over = true;
		this.gate.wake();
		close(this.client);
		close(this.broker);
		this.ended.accept(this);
	}

	static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			logger.debug("{} could not be closed", socket, ex);
		}
	}

	/** Waits for the threads to end. */
	void join(Duration atMost) throws InterruptedException {
		for (Thread thread : this.threads) {
			thread.join(atMost.toMillis());
		}
	}

}
