package io.ojs.amqp.topology;

/**
 * When exchanges and queues are declared (AMQP binding §7.3).
 */
public enum Declaration {

	/** All that is known, when the application starts; the rest on first use. */
	EAGER,

	/** On first use. */
	LAZY,

	/** Never: somebody else does it, and this application may not. */
	NONE

}
