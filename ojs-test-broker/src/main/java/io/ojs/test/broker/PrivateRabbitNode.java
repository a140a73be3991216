package io.ojs.test.broker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.ojs.test.internal.process.Command;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A RabbitMQ node as a child process, for tests that stop, crash or freeze their broker.
 * All its ports are on the loopback address, and its files are in a temporary folder.
 * Neither outlives the JVM, even if the JVM is killed.
 * <p>
 * Ports, credentials and data stay the same from one {@link #start()} to the next, so
 * {@link #kill()} then {@link #start()} is a broker's crash and recovery. A message that
 * the broker has confirmed survives, except in a quorum queue that was declared just
 * before: {@link #awaitOnDisk} waits until such a queue is safe.
 */
public final class PrivateRabbitNode extends AddressedBroker implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(PrivateRabbitNode.class);

	private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

	private static final Duration LOG_TIMEOUT = Duration.ofSeconds(20);

	private static final Duration STOP_TIMEOUT = Duration.ofMinutes(1);

	private static final Duration KILL_TIMEOUT = Duration.ofSeconds(15);

	private static final Duration CTL_TIMEOUT = Duration.ofMinutes(1);

	private static final Duration DISK_TIMEOUT = Duration.ofSeconds(10);

	private static final Duration POLL = Duration.ofMillis(50);

	private static final int ATTEMPTS = 3;

	private final ReentrantLock lock = new ReentrantLock();

	private final NodePorts ports;

	private final NodeFiles files;

	private final ManagementApi management;

	private volatile @Nullable NodeRun run;

	private volatile String version = "";

	private boolean closed;

	private PrivateRabbitNode(NodeFiles files, NodePorts ports) {
		super(files.address());
		this.files = files;
		this.ports = ports;
		this.management = new ManagementApi(files.address(), ports.management());
	}

	/**
	 * Starts a node from an installed RabbitMQ or, on Debian and Ubuntu, from one
	 * unpacked from packages. The node runs when this method returns.
	 * @param configuration further lines for {@code rabbitmq.conf}, such as
	 * {@code consumer_timeout = 5000}
	 * @return the running node, to be closed by the caller
	 * @throws BrokerUnavailableException if there is no RabbitMQ to run, or if it does
	 * not start
	 */
	public static PrivateRabbitNode create(String... configuration) {
		RabbitInstallation installation = Discovery.installations(BrokerSettings.system()).first();
		return start(installation, List.of(configuration), NodePorts::free);
	}

	static PrivateRabbitNode start(RabbitInstallation installation) {
		return start(installation, List.of(), NodePorts::free);
	}

	/**
	 * Starts a node. Another process can take a port after it was chosen and before the
	 * node binds it; the node then ends, and this method tries again with other ports.
	 */
	static PrivateRabbitNode start(RabbitInstallation installation, List<String> configuration,
			Supplier<NodePorts> ports) {
		for (int attempt = 1;; attempt++) {
			NodePorts chosen = ports.get();
			PrivateRabbitNode node = new PrivateRabbitNode(new NodeFiles(installation, chosen, configuration), chosen);
			try {
				node.start();
				return node;
			}
			catch (RuntimeException ex) {
				node.close();
				if (attempt == ATTEMPTS || chosen.areFree()) {
					throw ex;
				}
				logger.info("{}: one was taken meanwhile, trying others", chosen);
			}
		}
	}

	/**
	 * Starts the node again, with the data that it had.
	 * @throws IllegalStateException if the node is running, or closed
	 * @throws BrokerUnavailableException if the node does not start
	 */
	public void start() {
		this.lock.lock();
		try {
			if (this.closed || isRunning()) {
				throw new IllegalStateException(this + " is " + (this.closed ? "closed" : "running already"));
			}
			end((crashed) -> {
				// Only its epmd may still run.
			}, KILL_TIMEOUT);
			long logged = this.files.logSize();
			NodeRun started = NodeRun.start(this.files, this.ports);
			this.run = started;
			this.version = started.awaitReady(address(), START_TIMEOUT);
			awaitLastPhase(started, logged);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits for the end of the last start phase. Users can log in some moments before,
	 * and a node that is stopped in between reports a crash. The log shows the end,
	 * unless the configuration disables it; {@code rabbitmqctl} instead takes half as
	 * long as a start.
	 */
	private void awaitLastPhase(NodeRun started, long logged) {
		long deadline = System.nanoTime() + LOG_TIMEOUT.toNanos();
		while (!this.files.tellsOfStart(logged)) {
			if (started.awaitEnd(POLL)) {
				throw new BrokerUnavailableException(
						"RabbitMQ ended while it was starting on " + this.ports + this.files.logs());
			}
			if (System.nanoTime() > deadline) {
				ctl(START_TIMEOUT, "await_startup");
				return;
			}
		}
	}

	/**
	 * Shuts the node down in order, as for a restart. Does nothing if the node is not
	 * running.
	 */
	public void stop() {
		end((running) -> {
			running.signal("TERM");
			// A frozen process receives the signal only after it continues.
			running.signal("CONT");
		}, STOP_TIMEOUT);
	}

	/**
	 * Crashes the node with SIGKILL. Does nothing if the node is not running.
	 */
	public void kill() {
		end((running) -> running.signal("KILL"), KILL_TIMEOUT);
	}

	/**
	 * Freezes the node with SIGSTOP: connections stay open, and the node answers nothing.
	 * @throws IllegalStateException if the node is not running
	 */
	public void pause() {
		signal("STOP");
	}

	/**
	 * Continues a frozen node, with SIGCONT.
	 * @throws IllegalStateException if the node is not running
	 */
	public void resume() {
		signal("CONT");
	}

	/**
	 * Tells whether the node's process runs; a frozen one does.
	 * @return whether the node is running
	 */
	public boolean isRunning() {
		NodeRun current = this.run;
		return current != null && current.isAlive();
	}

	/**
	 * Ends the node at once and deletes its files.
	 */
	@Override
	public void close() {
		this.lock.lock();
		try {
			if (!this.closed) {
				this.closed = true;
				end(NodeRun::abandon, KILL_TIMEOUT);
				this.files.delete();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public OptionalInt managementPort() {
		return OptionalInt.of(this.ports.management());
	}

	@Override
	public String version() {
		return this.version;
	}

	@Override
	public VirtualHost newVirtualHost() {
		return this.management.newVirtualHost();
	}

	@Override
	public String ctl(String... arguments) {
		return ctl(CTL_TIMEOUT, arguments);
	}

	private String ctl(Duration timeout, String... arguments) {
		return Command.run(this.files.folder(),
				Stream.concat(Stream.of(this.files.script("rabbitmqctl"), "-q"), Stream.of(arguments)).toList(),
				this.files.environment(), timeout);
	}

	/**
	 * Waits until a quorum queue survives {@link #kill()}. RabbitMQ writes its register
	 * of quorum queues to disk about a second after it has confirmed the declaration, and
	 * even messages. If it is killed before that, the queue never becomes ready again.
	 * @param virtualHost the queue's virtual host
	 * @param queue the name of a quorum queue that has been declared
	 * @throws IllegalStateException if the queue is not on disk after ten seconds, as
	 * with a queue of another type
	 */
	public void awaitOnDisk(VirtualHost virtualHost, String queue) {
		awaitOnDisk(virtualHost, queue, DISK_TIMEOUT);
	}

	void awaitOnDisk(VirtualHost virtualHost, String queue, Duration timeout) {
		long deadline = System.nanoTime() + timeout.toNanos();
		while (!this.files.hasQuorumQueue(virtualHost.name(), queue)) {
			if (running().awaitEnd(POLL) || System.nanoTime() > deadline) {
				throw new IllegalStateException("Queue '" + queue + "' of virtual host '" + virtualHost
						+ "' is not on the disk of " + this + "; is it a quorum queue?");
			}
		}
	}

	Path folder() {
		return this.files.folder();
	}

	@Override
	public String toString() {
		return "RabbitMQ " + this.version + " of its own on " + address();
	}

	private interface Ending {

		void of(NodeRun running);

	}

	private void end(Ending ending, Duration timeout) {
		this.lock.lock();
		try {
			NodeRun current = this.run;
			if (current != null) {
				if (current.isAlive()) {
					ending.of(current);
				}
				if (!current.awaitEnd(timeout)) {
					throw new IllegalStateException(this + " did not end within " + timeout + this.files.logs());
				}
				this.run = null;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void signal(String name) {
		this.lock.lock();
		try {
			running().signal(name);
		}
		finally {
			this.lock.unlock();
		}
	}

	private NodeRun running() {
		NodeRun current = this.run;
		if (current == null || !current.isAlive()) {
			throw new IllegalStateException(this + " is not running; start() it first");
		}
		return current;
	}

}
