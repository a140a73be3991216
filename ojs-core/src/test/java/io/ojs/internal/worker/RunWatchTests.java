package io.ojs.internal.worker;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.ojs.TestClock;
import io.ojs.event.internal.JobEvents;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.handler.internal.Timeouts;
import io.ojs.internal.fetch.BrokerQueues;
import io.ojs.internal.fetch.FetchStore;
import io.ojs.internal.fetch.FetchedQueueStore;
import io.ojs.internal.fetch.FetchedQueues;
import io.ojs.internal.fetch.WakeUps;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.retry.RetryPolicy;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.LeaseGrace;
import io.ojs.store.internal.attempt.Reaper;
import io.ojs.store.internal.relay.JobPublisher;
import io.ojs.store.internal.relay.Relay;
import io.ojs.store.internal.relay.RelayStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How often runs of workers that fetch are looked at.
 */
class RunWatchTests {

	private final TestClock clock = new TestClock();

	private final List<String> looks = new ArrayList<>();

	private final AttemptStore attempts = store(AttemptStore.class);

	private final FetchedQueues held = new FetchedQueues(store(FetchedQueueStore.class), store(BrokerQueues.class),
			store(LiveQueues.class), this.clock, (queue) -> false, new WakeUps((queue) -> {
			}));

	private final RunWatch watch = watch();

	private RunWatch watch() {
		JobEvents events = new JobEvents(List.of());
		RunTerms terms = new RunTerms(store(LiveQueues.class), new Timeouts((queue) -> Duration.ofMinutes(3)),
				new RetryPolicies((queue) -> RetryPolicy.DEFAULT, new JobHandlers(List.of())));
		Relay relay = new Relay(store(RelayStore.class), store(JobPublisher.class), this.clock, 500,
				Duration.ofHours(1));
		return new RunWatch(this.held,
				new RunTimeouts(store(FetchStore.class), this.attempts, terms, events, this.clock),
				new Reaper(this.attempts, relay, new LeaseGrace(Duration.ofSeconds(30), this.clock)),
				Duration.ofSeconds(15), this.clock);
	}

	private <T> T store(Class<T> type) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> switch (method.getName()) {
					case "timedOut", "reap" -> {
						this.looks.add(method.getName());
						yield List.of();
					}
					case "telling" -> ((Supplier<?>) arguments[0]).get();
					case "fetched" -> null;
					case "fetchedSince" -> Map.of();
					default -> throw new UnsupportedOperationException(method.getName());
				}));
	}

	private List<String> check() {
		this.looks.clear();
		this.watch.check();
		return List.copyOf(this.looks);
	}

	@Test
	void nowAndThenWhileNobodyFetches() {
		assertThat(check()).containsExactly("timedOut");
		this.clock.advance(Duration.ofSeconds(14));
		assertThat(check()).isEmpty();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(check()).containsExactly("timedOut");
	}

	@Test
	void eachTimeWhileSomebodyDoes() {
		this.held.fetched(List.of("mail"));
		assertThat(check()).containsExactly("reap", "timedOut");
		assertThat(check()).containsExactly("reap", "timedOut");
		this.clock.advance(FetchedQueues.FETCHED);
		assertThat(this.held.isUsed()).isFalse();
		assertThat(check()).containsExactly("timedOut");
		assertThat(check()).isEmpty();
	}

}
