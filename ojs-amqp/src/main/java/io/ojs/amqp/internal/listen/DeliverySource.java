package io.ojs.amqp.internal.listen;

import java.time.Duration;

import io.ojs.amqp.internal.listen.DeliverySettler.Settlement;
import io.ojs.amqp.internal.run.JobRun;
import io.ojs.handler.internal.JobFailure;
import io.ojs.store.StoreException;
import io.ojs.store.internal.attempt.Claim;
import org.jspecify.annotations.Nullable;

/**
 * A source of deliveries. It provides their attempts and settles them. With a job store,
 * the outcome of an attempt is recorded before.
 *
 * @param <D> the kind of delivery
 */
interface DeliverySource<D extends Delivery> {

	/**
	 * Reads the job and claims it.
	 * @return the attempt, or why there is none
	 * @throws RuntimeException if the delivery cannot be read
	 * @throws StoreException if the store does not accept the job, now or ever
	 */
	Claims.Claimed claim(D delivery);

	/** Settles a delivery whose job the job store did not give to this worker. */
	void unclaimed(D delivery, @Nullable Claim claim);

	/** Passes a job on to another process, which may handle its version. */
	void passOn(D delivery, JobRun run);

	/** Acks a delivery that needs no follow-up. */
	Settlement ack(D delivery);

	/** Has the job run again after a delay. */
	Settlement retry(D delivery, JobRun run, JobFailure failure, Duration delay);

	/** Makes the job a dead letter. */
	Settlement deadLetter(D delivery, JobFailure failure);

	/** Nacks a delivery, if it cannot be settled otherwise. */
	Settlement nack(D delivery);

	/**
	 * The source of fetched runs. The store has recorded their outcomes, so there is
	 * nothing to settle.
	 */
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

			/** The run is lost when its lease ends. */
			@Override
			public Settlement nack(FetchedDelivery delivery) {
				return Settlement.NOT_SETTLED;
			}

		};
	}

}
