package io.ojs.amqp.listen;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.amqp.message.Republishing;
import io.ojs.handler.Timeouts;
import io.ojs.store.attempt.Attempts;
import org.jspecify.annotations.Nullable;

/**
 * What watches over attempts while they are under way.
 *
 * @param running knows them
 * @param timeouts say how long they may take
 * @param deadlines interrupt those that take longer
 * @param control knows which jobs were cancelled
 * @param attempts claims jobs in the job store and records what becomes of them;
 * {@code null} without one: then the broker alone says who runs what
 */
public record Supervision(RunningJobs running, Timeouts timeouts, Deadlines deadlines, WorkerControl control,
		@Nullable Attempts attempts) {

	/**
	 * Without a job store.
	 * @param running knows them
	 * @param timeouts say how long they may take
	 * @param deadlines interrupt those that take longer
	 * @param control knows which jobs were cancelled
	 */
	public Supervision(RunningJobs running, Timeouts timeouts, Deadlines deadlines, WorkerControl control) {
		this(running, timeouts, deadlines, control, null);
	}

	/**
	 * The properties of a message that is published again, marked if a store keeps it.
	 */
	BasicProperties ofStore(BasicProperties received) {
		return (this.attempts != null) ? Republishing.ofStore(received, this.attempts.storeId()) : received;
	}

}
