package io.ojs.test.broker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The ports of a private node, all on the loopback address.
 */
record NodePorts(int amqp, int management, int distribution, int epmd) {

	/**
	 * Below the range from which Linux (from 32768) and macOS (from 49152) take the local
	 * ports of outgoing connections. While a killed node is down its port must not go to
	 * somebody's connection, least of all to that of a client that tries to reconnect: on
	 * loopback it could end up connected to itself.
	 */
	private static final int FROM = 20_000;

	private static final int TO = 32_000;

	static NodePorts free() {
		List<Integer> four = new Random().ints(FROM, TO).filter(NodePorts::isFree).distinct().limit(4).boxed().toList();
		return new NodePorts(four.get(0), four.get(1), four.get(2), four.get(3));
	}

	/**
	 * Whether nobody else listens on any of them, asked while the node does not run.
	 */
	boolean areFree() {
		return IntStream.of(this.amqp, this.management, this.distribution, this.epmd).allMatch(NodePorts::isFree);
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket()) {
			socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

}
