package io.ojs.amqp.internal.listen;

import java.util.Map;
import java.util.Objects;

import io.ojs.amqp.internal.run.JobRun;
import io.ojs.store.internal.attempt.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A run that a worker fetched from the job store. The store has counted its attempt.
 *
 * @param queue the OJS queue of the job
 * @param run the attempt
 * @param headers the headers that the store keeps beside the envelope
 */
record FetchedDelivery(String queue, JobRun run, Map<String, String> headers) implements Delivery {

	Lease lease() {
		return Objects.requireNonNull(this.run.lease());
	}

	@Override
	public String shownId() {
		return this.run.job().id();
	}

	@Override
	public boolean hasMessage() {
		return false;
	}

	/** Needed only for jobs that the store adopts from a message. */
	@Override
	public @Nullable String producer() {
		return null;
	}

}
