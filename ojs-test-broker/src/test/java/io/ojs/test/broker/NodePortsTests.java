package io.ojs.test.broker;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NodePortsTests {

	@Test
	void areFreeUntilSomebodyListens() throws Exception {
		NodePorts ports = NodePorts.free();
		assertThat(ports.areFree()).isTrue();
		assertThat(IntStream.of(ports.amqp(), ports.management(), ports.distribution(), ports.epmd()).distinct())
			.hasSize(4)
			.allSatisfy((port) -> assertThat(port).isBetween(20_000, 32_000));
		try (ServerSocket socket = new ServerSocket(ports.epmd(), 1, InetAddress.getLoopbackAddress())) {
			assertThat(socket.isBound()).isTrue();
			assertThat(ports.areFree()).isFalse();
		}
	}

	/**
	 * Taken between choosing and binding, which here is always.
	 */
	@Test
	void othersAreTriedWhenOneIsTakenMeanwhile() throws Exception {
		RabbitInstallation installation = Discovery.installations(BrokerSettings.system()).first();
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			NodePorts free = NodePorts.free();
			NodePorts taken = new NodePorts(free.amqp(), free.management(), free.distribution(), socket.getLocalPort());
			Iterator<NodePorts> choices = List.of(taken, NodePorts.free()).iterator();
			try (PrivateRabbitNode node = PrivateRabbitNode.start(installation, List.of(), choices::next)) {
				assertThat(node.isRunning()).isTrue();
				assertThat(choices).isExhausted();
			}
		}
	}

}
