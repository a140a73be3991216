package io.ojs.test.process;

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
	 * ports of outgoing connections. While a killed server is down its port must not go
	 * to somebody's connection, least of all to that of a client that tries to reconnect:
	 * on loopback it could end up connected to itself.
	 */
	private static final int FROM = 20_000;

	private static final int TO = 32_000;

	private LoopbackPorts() {
	}

	/**
	 * Returns ports on which nobody listens.
	 * @param count how many
	 * @return that many ports, all different
	 */
	public static int[] free(int count) {
		return new Random().ints(FROM, TO).filter(LoopbackPorts::isFree).distinct().limit(count).toArray();
	}

	/**
	 * Tells whether nobody listens on a port.
	 * @param port the port
	 * @return whether it can be listened on now
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
