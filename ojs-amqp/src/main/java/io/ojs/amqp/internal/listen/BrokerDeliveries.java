package io.ojs.amqp.internal.listen;

import java.time.Duration;

import io.ojs.amqp.internal.listen.DeliverySettler.Settlement;
import io.ojs.amqp.internal.message.Republishing;
import io.ojs.amqp.internal.run.JobRun;
import io.ojs.amqp.internal.run.JobRuntime;
import io.ojs.handler.internal.JobFailure;
import io.ojs.store.internal.attempt.Claim;
import org.jspecify.annotations.Nullable;

/**
 * Deliveries of the broker: messages, each of which has to be settled.
 */
final class BrokerDeliveries implements DeliverySource<BrokerDelivery> {

	private final JobRuntime runtime;

	private final Claims claims;

	private final DeliverySettler settler;

	private final UnclaimedDeliveries unclaimed;

	BrokerDeliveries(JobRuntime runtime, Claims claims, DeliverySettler settler) {
		this.runtime = runtime;
		this.claims = claims;
		this.settler = settler;
		this.unclaimed = new UnclaimedDeliveries(settler, runtime);
	}

	@Override
	public Claims.Claimed claim(BrokerDelivery delivery) {
		return this.claims.claim(this.runtime.messages().read(delivery.properties(), delivery.body()), delivery);
	}

	@Override
	public void unclaimed(BrokerDelivery delivery, @Nullable Claim claim) {
		this.unclaimed.settle(delivery, claim);
	}

	@Override
	public void passOn(BrokerDelivery delivery, JobRun run) {
		this.unclaimed.passOn(delivery, run);
	}

	@Override
	public Settlement ack(BrokerDelivery delivery) {
		return this.settler.ack(delivery);
	}

	/**
	 * If the store has the job and the broker does not take the retry, the relay
	 * publishes the job when it is due.
	 */
	@Override
	public Settlement retry(BrokerDelivery delivery, JobRun run, JobFailure failure, Duration delay) {
		if (run.lease() == null) {
			return this.settler.retry(delivery, run.attempt() + 1, failure, delay);
		}
		return this.settler.postpone(delivery, delay,
				(millis) -> Republishing.forRetry(this.runtime.supervision().ofStore(delivery.properties()),
						run.attempt() + 1, failure.error(), millis, delivery.frameMax()));
	}

	@Override
	public Settlement deadLetter(BrokerDelivery delivery, JobFailure failure) {
		return this.settler.deadLetter(delivery, failure);
	}

	@Override
	public Settlement nack(BrokerDelivery delivery) {
		return this.settler.nack(delivery);
	}

}
