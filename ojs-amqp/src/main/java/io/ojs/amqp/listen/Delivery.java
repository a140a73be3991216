package io.ojs.amqp.listen;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A job that this worker was given, by the broker or by the job store.
 */
interface Delivery {

	/** The OJS queue that it came from. */
	String queue();

	/** The id of the job for a log. */
	String shownId();

	/**
	 * Whether the broker brings a job that is retried or released: its message is this
	 * worker's still. If not, the relay makes the job available.
	 */
	boolean hasMessage();

	/** What came beside the envelope, such as the context of a trace. */
	Map<String, ?> headers();

	/** The application that says that it enqueued the job, if it is known. */
	@Nullable String producer();

}
