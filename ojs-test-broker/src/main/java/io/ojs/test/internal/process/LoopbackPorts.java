package io.ojs.test.internal.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Random;

/**
 * Ports on the loopback address for servers of this JVM.
 */
public final class LoopbackPorts {

	/**
	 * Below the range from which Linux (from 32768) and macOS (from 49152) take the local
	 * ports of outgoing connections. While a killed server is down, no connection must
	 * take its port, least of all a client that tries to reconnect: on loopback the
	 * client could connect to itself.
	 */
	private static final int FROM = 20_000;

	private static final int TO = 32_000;

	private LoopbackPorts() {
	}

	/**
	 * Returns ports on which no process listens.
	 * @param count the number of ports
	 * @return that many ports, all different
	 */
	public static int[] free(int count) {
		return new Random().ints(FROM, TO).filter(LoopbackPorts::isFree).distinct().limit(count).toArray();
	}

	/**
	 * Tells whether no process listens on a port.
	 * @param port the port
	 * @return whether a server can listen on it now
	 */
	public static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket()) {
			socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

}
