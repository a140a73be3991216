package io.ojs.amqp.listen;

import java.util.Map;
import java.util.Objects;

import io.ojs.store.attempt.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A run that was fetched from the job store, which has counted its attempt.
 *
 * @param queue the OJS queue that it came from
 * @param run the attempt
 * @param headers what is kept beside the envelope
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

	/** Only of interest where the store has met the job in a message. */
	@Override
	public @Nullable String producer() {
		return null;
	}

}
