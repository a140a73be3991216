package io.ojs.amqp.internal.run;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.amqp.internal.message.Republishing;
import io.ojs.handler.internal.Timeouts;
import io.ojs.store.internal.attempt.Attempts;
import org.jspecify.annotations.Nullable;

/**
 * Watches over running attempts.
 *
 * @param running the running attempts
 * @param timeouts give the timeouts of attempts
 * @param deadlines interrupt attempts that exceed them
 * @param control tells which jobs were cancelled
 * @param attempts claims jobs in the job store and records outcomes; {@code null} without
 * a store, where the broker alone decides which worker runs a job
 */
public record Supervision(RunningJobs running, Timeouts timeouts, Deadlines deadlines, WorkerControl control,
		@Nullable Attempts attempts) {

	public Supervision(RunningJobs running, Timeouts timeouts, Deadlines deadlines, WorkerControl control) {
		this(running, timeouts, deadlines, control, null);
	}

	/**
	 * The properties of a message that is published again, with the store's id if there
	 * is a store.
	 */
	public BasicProperties ofStore(BasicProperties received) {
		return (this.attempts != null) ? Republishing.ofStore(received, this.attempts.storeId()) : received;
	}

}
