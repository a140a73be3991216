package io.ojs.jdbc.internal;

import java.time.Clock;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.ojs.event.internal.JobTransition;
import io.ojs.internal.json.JobCodec;
import io.ojs.store.internal.Retention;
import io.ojs.store.internal.relay.HandOver;
import io.ojs.tenant.internal.limit.FairShares;
import org.jspecify.annotations.Nullable;

/**
 * Options of all stores on one database.
 *
 * @param codec reads the envelopes; they are kept as text, so it has to write UTF-8
 * @param clock tells the time, also for the ids of events
 * @param source the source of this application's events: a URI, such as
 * {@code ojs://shop/store/host-1}; at most 255 characters
 * @param actor returns for whom the current thread acts: an HTTP caller or the
 * application; {@code null} if it is not known
 * @param retention how long ended jobs of a queue are kept
 * @param deadLetterQueue the queue among whose dead letters those of a queue are kept:
 * the queue itself or another one
 * @param limits limits on jobs beside those that jobs name themselves
 * @param relayable runs after the commit when jobs wait for the relay and no other code
 * tells it; may run in vain
 * @param shares how many jobs of one tenant may be at the broker
 * @param handedOver whether jobs of an OJS queue belong to the broker once it has them
 * @param listener receives, after the commit, the transitions that the store makes
 * itself; neither new jobs, nor attempts that workers report
 * @param feed whether events are kept for readers of the feed
 * @param features the features that take part in state transitions, in the order in which
 * the store asks them; versions, the ends of workflow jobs and limits are features, and
 * have an effect only if they are named
 */
public record StoreOptions(JobCodec codec, Clock clock, String source, Supplier<@Nullable String> actor,
		Function<String, Retention> retention, UnaryOperator<String> deadLetterQueue, StartLimits limits,
		Runnable relayable, FairShares shares, Predicate<String> handedOver, Consumer<JobTransition> listener,
		boolean feed, List<Function<StoreDatabase, StoreFeature>> features) {

	/**
	 * Creates options with a feed, without limits, listeners and features. The store
	 * holds no jobs back, and does not wake the relay. Without features it ignores the
	 * limits and versions that jobs name, and workflows do not go on.
	 */
	public StoreOptions(JobCodec codec, Clock clock, String source, Function<String, Retention> retention,
			UnaryOperator<String> deadLetterQueue) {
		this(codec, clock, source, () -> null, retention, deadLetterQueue, StartLimits.NONE, () -> {
		}, new FairShares(false), HandOver.NONE, (transition) -> {
		}, true, List.of());
	}

}
