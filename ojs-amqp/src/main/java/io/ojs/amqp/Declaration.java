package io.ojs.amqp;

/**
 * When exchanges and queues are declared (AMQP binding §7.3).
 */
public enum Declaration {

	/**
	 * Known exchanges and queues at the start of the application, others on first use.
	 */
	EAGER,

	/** On first use. */
	LAZY,

	/** Never: another program declares them, and this application may not. */
	NONE

}
