package io.ojs.jdbc;

import java.time.Clock;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import io.ojs.event.JobTransition;
import io.ojs.json.JobCodec;
import io.ojs.store.Retention;
import io.ojs.store.relay.HandOver;
import io.ojs.tenant.limit.FairShares;

/**
 * What all stores on one database have in common.
 *
 * @param codec reads the envelopes; they are kept as text, so it has to write UTF-8
 * @param clock tells the time in the ids of events
 * @param source who the events of this application come from: a URI, such as
 * {@code ojs://shop/store/host-1}; at most 255 characters
 * @param retention how long jobs of a queue are kept that have ended
 * @param deadLetterQueue among whose dead letters those of a queue are kept: its own, or
 * another queue's
 * @param limits what limits jobs beside what they say themselves
 * @param relayable run after the commit when jobs wait for the relay that nobody else
 * tells it of; may be run in vain
 * @param shares how many jobs of one tenant may be at the broker
 * @param handedOver whether jobs of an OJS queue belong to the broker once it has them
 * @param listener is told, after the commit, what the store has made of jobs by itself:
 * neither of new jobs, nor of attempts that workers tell of
 * @param feed whether events are kept for those who read the feed
 * @param features what has a part in what becomes of jobs, in the order in which it is
 * asked; versions, the ends of workflow jobs and limits are features, and hold only where
 * they are named
 */
public record StoreOptions(JobCodec codec, Clock clock, String source, Function<String, Retention> retention,
		UnaryOperator<String> deadLetterQueue, StartLimits limits, Runnable relayable, FairShares shares,
		Predicate<String> handedOver, Consumer<JobTransition> listener, boolean feed,
		List<Function<StoreDatabase, StoreFeature>> features) {

	/**
	 * Options with a feed, without limits and listeners, by which no jobs are held back,
	 * and with a relay that looks by itself. Without features: what jobs say of limits
	 * and versions is ignored, and workflows do not go on.
	 * @param codec reads the envelopes
	 * @param clock tells the time
	 * @param source who events come from
	 * @param retention how long jobs are kept that have ended
	 * @param deadLetterQueue among whose dead letters those of a queue are kept
	 */
	public StoreOptions(JobCodec codec, Clock clock, String source, Function<String, Retention> retention,
			UnaryOperator<String> deadLetterQueue) {
		this(codec, clock, source, retention, deadLetterQueue, StartLimits.NONE, () -> {
		}, new FairShares(false), HandOver.NONE, (transition) -> {
		}, true, List.of());
	}

}
