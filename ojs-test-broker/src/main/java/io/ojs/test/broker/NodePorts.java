package io.ojs.test.broker;

import java.util.stream.IntStream;

import io.ojs.test.internal.process.LoopbackPorts;

/**
 * The ports of a private node, all on the loopback address.
 */
record NodePorts(int amqp, int management, int distribution, int epmd) {

	static NodePorts free() {
		int[] four = LoopbackPorts.free(4);
		return new NodePorts(four[0], four[1], four[2], four[3]);
	}

	/**
	 * Whether no other process listens on these ports. Call it while the node does not
	 * run.
	 */
	boolean areFree() {
		return IntStream.of(this.amqp, this.management, this.distribution, this.epmd).allMatch(LoopbackPorts::isFree);
	}

}
