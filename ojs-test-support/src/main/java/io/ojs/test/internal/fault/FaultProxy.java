package io.ojs.test.internal.fault;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;

import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.broker.VirtualHost;
import io.ojs.test.internal.database.PostgresServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A TCP proxy on the loopback address, between an application and its broker, that breaks
 * connections in the ways that networks do. It affects clients that connect by
 * {@link #uri}; clients that use the broker's own URI are not affected.
 *
 * <p>
 * It forwards all bytes until a method changes that. All methods may be called by any
 * thread.
 */
public final class FaultProxy implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(FaultProxy.class);

	private static final String LOOPBACK = "127.0.0.1";

	private static final int BACKLOG = 1024;

	private static final Duration END_TIMEOUT = Duration.ofSeconds(5);

	private final InetSocketAddress target;

	private final ServerSocket server;

	private final Thread acceptor;

	private final Gate gate = new Gate();

	private final Set<Link> links = ConcurrentHashMap.newKeySet();

	private final List<ConnectionAttempt> attempts = new CopyOnWriteArrayList<>();

	private final LongAdder bytesToBroker = new LongAdder();

	private final LongAdder bytesFromBroker = new LongAdder();

	// Intervals between attempts must not change when the machine's clock is set.
	private final Instant epoch = Instant.now();

	private final long epochNanos = System.nanoTime();

	private volatile BiFunction<Integer, Direction, OutputStream> copies = (connection, direction) -> OutputStream
		.nullOutputStream();

	private volatile boolean refusing;

	private FaultProxy(InetSocketAddress target) {
		this.target = target;
		try {
			this.server = new ServerSocket(0, BACKLOG, InetAddress.getByName(LOOPBACK));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No free port on " + LOOPBACK, ex);
		}
		this.acceptor = new Thread(this::acceptAll, "ojs-fault-proxy-" + port());
		this.acceptor.setDaemon(true);
	}

	/**
	 * Opens a proxy to a broker. The broker may be stopped and started again meanwhile;
	 * while it is down, the proxy resets connections.
	 * @param broker the broker
	 * @return the proxy, to be closed by the caller
	 */
	public static FaultProxy to(RabbitBroker broker) {
		return to(new InetSocketAddress(broker.host(), broker.port()));
	}

	/**
	 * Opens a proxy to a database server. It breaks connections in the same ways as those
	 * to a broker.
	 * @param server the server
	 * @return the proxy, to be closed by the caller
	 */
	public static FaultProxy to(PostgresServer server) {
		return to(new InetSocketAddress(server.host(), server.port()));
	}

	/**
	 * Opens a proxy to any other server.
	 * @param target the address of the server
	 * @return the proxy, to be closed by the caller
	 */
	public static FaultProxy to(InetSocketAddress target) {
		FaultProxy proxy = new FaultProxy(target);
		proxy.acceptor.start();
		return proxy;
	}

	/**
	 * Returns the address that the proxy listens on.
	 * @return a loopback address
	 */
	public String host() {
		return LOOPBACK;
	}

	/**
	 * Returns the port that the proxy listens on.
	 * @return the port
	 */
	public int port() {
		return this.server.getLocalPort();
	}

	/**
	 * Returns the AMQP URI of a virtual host, through the proxy.
	 * @param virtualHost a virtual host of the proxy's broker
	 * @return the URI, credentials included
	 */
	public String uri(VirtualHost virtualHost) {
		return throughProxy(virtualHost.uri());
	}

	/**
	 * Returns the AMQP URI of a broker's default virtual host, through the proxy.
	 * @param broker the proxy's broker
	 * @return the URI, credentials included
	 */
	public String uri(RabbitBroker broker) {
		return throughProxy(broker.uri());
	}

	private String throughProxy(String uri) {
		URI direct = URI.create(uri);
		return "%s://%s@%s:%d%s".formatted(direct.getScheme(), direct.getRawUserInfo(), host(), port(),
				direct.getRawPath());
	}

	/**
	 * Ends every connection with a TCP reset, on both sides. Bytes on their way are lost.
	 * The proxy accepts new connections as before.
	 * @return the number of connections that were ended
	 */
	public int reset() {
		List<Link> all = List.copyOf(this.links);
		all.forEach(Link::reset);
		return all.size();
	}

	/**
	 * Holds back all bytes, like a network that has stopped delivering: connections stay
	 * open, the proxy accepts new ones, and no bytes arrive. It keeps the bytes for
	 * {@link #resume()}; a few that are on their way at this moment may still arrive.
	 * @param direction the direction to hold back; the other direction does not change
	 */
	public void hang(Direction direction) {
		this.gate.shut(direction);
	}

	/**
	 * Delivers the bytes that were held back, in order, and all further bytes at once.
	 */
	public void resume() {
		this.gate.open();
	}

	/**
	 * Resets new connections at once, from now on. Open connections are not affected.
	 */
	public void refuse() {
		this.refusing = true;
	}

	/**
	 * Accepts new connections again.
	 */
	public void accept() {
		this.refusing = false;
	}

	/**
	 * Returns every connection that was opened to the proxy so far, including refused
	 * ones: the attempts of an application to reconnect to its broker.
	 * @return the attempts, oldest first
	 */
	public List<ConnectionAttempt> attempts() {
		return List.copyOf(this.attempts);
	}

	/**
	 * Returns the number of open connections. A connection that one end has closed counts
	 * until the close has reached the other end, so during a {@link #hang} the number may
	 * be too high.
	 * @return the number of connections
	 */
	public int connections() {
		return this.links.size();
	}

	/**
	 * Returns the number of bytes that the proxy has forwarded.
	 * @param direction the direction
	 * @return the number of bytes, since the proxy was opened
	 */
	public long bytes(Direction direction) {
		long sum = 0;
		if (direction.includes(Direction.TO_BROKER)) {
			sum += this.bytesToBroker.sum();
		}
		if (direction.includes(Direction.FROM_BROKER)) {
			sum += this.bytesFromBroker.sum();
		}
		return sum;
	}

	/**
	 * Copies the bytes of each connection that is opened from now on. The proxy copies
	 * bytes before it forwards them, so an answer is never copied before its request.
	 * @param streams returns the stream that the bytes are copied to, for the index of
	 * the connection in {@link #attempts()} and for {@link Direction#TO_BROKER} and
	 * {@link Direction#FROM_BROKER}; one thread writes each stream, and an error resets
	 * the connection
	 */
	public void copyTo(BiFunction<Integer, Direction, OutputStream> streams) {
		this.copies = streams;
	}

	/**
	 * Resets every connection and accepts no more. No thread of the proxy runs when this
	 * method returns.
	 */
	@Override
	public void close() {
		try {
			this.server.close();
			this.acceptor.join(END_TIMEOUT.toMillis());
			List<Link> all = List.copyOf(this.links);
			all.forEach(Link::reset);
			for (Link link : all) {
				link.join(END_TIMEOUT);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(this + " could not be closed", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public String toString() {
		return "Proxy on " + host() + ":" + port() + " to " + this.target;
	}

	private void acceptAll() {
		while (!this.server.isClosed()) {
			try {
				accept(this.server.accept());
			}
			catch (IOException ex) {
				if (!this.server.isClosed()) {
					logger.warn("{} could not accept a connection", this, ex);
				}
			}
		}
	}

	private void accept(Socket client) {
		boolean refused = this.refusing;
		this.attempts.add(new ConnectionAttempt(this.epoch.plusNanos(System.nanoTime() - this.epochNanos), refused));
		if (refused) {
			Link.lingerNot(client);
			Link.close(client);
			return;
		}
		int index = this.attempts.size() - 1;
		Link link = new Link(this.gate, client, this.target,
				new Way(Direction.TO_BROKER, this.bytesToBroker, this.copies.apply(index, Direction.TO_BROKER)),
				new Way(Direction.FROM_BROKER, this.bytesFromBroker, this.copies.apply(index, Direction.FROM_BROKER)),
				this.links::remove);
		this.links.add(link);
		link.start();
	}

}
