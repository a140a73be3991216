package io.ojs.amqp.internal.listen;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A job that the broker or the job store has given to this worker.
 */
interface Delivery {

	String queue();

	/** The id of the job, safe for a log. */
	String shownId();

	/**
	 * Whether this worker still has a message of the job, which the broker will deliver
	 * again if the job is retried or released. Otherwise the relay makes the job
	 * available.
	 */
	boolean hasMessage();

	/** Headers beside the envelope, such as a trace context. */
	Map<String, ?> headers();

	/** The producer that the message names; {@code null} if it is not known. */
	@Nullable String producer();

}
