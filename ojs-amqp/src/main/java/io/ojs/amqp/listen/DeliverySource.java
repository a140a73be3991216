package io.ojs.amqp.listen;

import java.time.Duration;

import io.ojs.amqp.listen.DeliverySettler.Settlement;
import io.ojs.handler.JobFailure;
import io.ojs.store.StoreException;
import io.ojs.store.attempt.Claim;
import org.jspecify.annotations.Nullable;

/**
 * Where deliveries come from: gives the attempts that they ask for, and hears what
 * becomes of them. With a job store, that is recorded before.
 *
 * @param <D> the kind of delivery
 */
interface DeliverySource<D extends Delivery> {

	/**
	 * Reads the job and claims it.
	 * @return the attempt, or why there is none
	 * @throws RuntimeException if it cannot be read
	 * @throws StoreException if the store does not take the job, now or ever
	 */
	Claims.Claimed claim(D delivery);

	/** There is no attempt: the job store did not give the job to this worker. */
	void unclaimed(D delivery, @Nullable Claim claim);

	/** Another process may have a handler for the version of the job. */
	void passOn(D delivery, JobRun run);

	/** The job is done with. */
	Settlement ack(D delivery);

	/** The job runs again after a delay. */
	Settlement retry(D delivery, JobRun run, JobFailure failure, Duration delay);

	/** The job is a dead letter. */
	Settlement deadLetter(D delivery, JobFailure failure);

	/** Nothing else could be done. */
	Settlement nack(D delivery);

	/** The source of fetched runs: the store has recorded what becomes of them. */
	static DeliverySource<FetchedDelivery> ofStore() {
		return new DeliverySource<>() {

			@Override
			public Claims.Claimed claim(FetchedDelivery delivery) {
				return new Claims.Claimed(delivery.run(), null);
			}

			@Override
			public void unclaimed(FetchedDelivery delivery, @Nullable Claim claim) {
				throw new IllegalStateException("Job %s was fetched.".formatted(delivery.shownId()));
			}

			@Override
			public void passOn(FetchedDelivery delivery, JobRun run) {
				throw new IllegalStateException("Job %s is in the store.".formatted(delivery.shownId()));
			}

			@Override
			public Settlement ack(FetchedDelivery delivery) {
				return Settlement.ACKED;
			}

			@Override
			public Settlement retry(FetchedDelivery delivery, JobRun run, JobFailure failure, Duration delay) {
				return Settlement.RETRIED;
			}

			@Override
			public Settlement deadLetter(FetchedDelivery delivery, JobFailure failure) {
				return Settlement.DEAD_LETTERED;
			}

			/** The run is lost when its lease is over. */
			@Override
			public Settlement nack(FetchedDelivery delivery) {
				return Settlement.NOT_SETTLED;
			}

		};
	}

}
