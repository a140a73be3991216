package io.ojs.test.broker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

import io.ojs.test.internal.process.SupervisedProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a node, from start to end: the broker, and the epmd in which Erlang nodes
 * register.
 */
final class NodeRun {

	private static final Logger logger = LoggerFactory.getLogger(NodeRun.class);

	private static final Duration POLL = Duration.ofMillis(50);

	private final NodeFiles files;

	private final NodePorts ports;

	private final SupervisedProcess epmd;

	private final SupervisedProcess broker;

	private NodeRun(NodeFiles files, NodePorts ports, SupervisedProcess epmd) {
		this.files = files;
		this.ports = ports;
		this.epmd = epmd;
		this.broker = new SupervisedProcess(files.broker());
	}

	static NodeRun start(NodeFiles files, NodePorts ports) {
		SupervisedProcess epmd = new SupervisedProcess(files.epmd());
		try {
			while (!accepts(ports.epmd())) {
				if (epmd.awaitEnd(POLL)) {
					throw new BrokerUnavailableException("Erlang's epmd ended at its start" + files.logs());
				}
			}
			return new NodeRun(files, ports, epmd);
		}
		catch (RuntimeException ex) {
			epmd.abandon();
			throw ex;
		}
	}

	/**
	 * Waits until users can log in.
	 * @return the broker's version
	 */
	String awaitReady(BrokerAddress address, Duration timeout) {
		long deadline = System.nanoTime() + timeout.toNanos();
		while (System.nanoTime() < deadline) {
			try {
				return address.askVersion();
			}
			catch (IOException | TimeoutException ex) {
				logger.trace("{} is not ready", address, ex);
			}
			if (this.broker.awaitEnd(POLL) || !this.epmd.isAlive()) {
				throw new BrokerUnavailableException(
						"RabbitMQ ended while it was starting on " + this.ports + this.files.logs());
			}
		}
		throw new BrokerUnavailableException(
				"RabbitMQ accepted no connection on " + this.ports + " within " + timeout + this.files.logs());
	}

	boolean isAlive() {
		return this.broker.isAlive();
	}

	void signal(String name) {
		this.broker.signal(name);
	}

	/**
	 * Makes the supervisor kill the broker and delete the node's folder.
	 */
	void abandon() {
		this.broker.abandon();
	}

	/**
	 * Waits for the end of the broker, then ends epmd.
	 * @return whether both have ended
	 */
	boolean awaitEnd(Duration time) {
		if (!this.broker.awaitEnd(time)) {
			return false;
		}
		this.epmd.abandon();
		return this.epmd.awaitEnd(time);
	}

	private static boolean accepts(int port) {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

}
