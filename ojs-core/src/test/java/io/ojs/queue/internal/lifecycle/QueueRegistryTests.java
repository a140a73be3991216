package io.ojs.queue.internal.lifecycle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.ojs.queue.OverflowPolicy;
import io.ojs.queue.JobQueue;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueState;
import io.ojs.queue.internal.LiveQueue;
import io.ojs.retry.RetryOverrides;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a process knows of queues: all layers, what others changed after the next refresh,
 * what it changed itself at once.
 */
class QueueRegistryTests {

	private final QueueFixture fixture = new QueueFixture();

	@Test
	@Tag("QC-7.2-1")
	void layersLieOnEachOther() {
		QueueRegistry registry = this.fixture.registry(concurrency(1), Map.of("named", concurrency(3)));
		StoreQueues queues = this.fixture.queues(registry);
		assertThat(registry.get("named").config().concurrency()).isEqualTo(3);
		assertThat(registry.get("other").config().concurrency()).isEqualTo(1);
		assertThat(registry.get("other").config().overflowPolicy()).isEqualTo(OverflowPolicy.REJECT);
		queues.setDefaultPolicy(concurrency(2));
		assertThat(registry.get("named").config().concurrency()).isEqualTo(3);
		assertThat(registry.get("other").config().concurrency()).isEqualTo(2);
		queues.configure("named", concurrency(4));
		queues.configure("other", concurrency(5));
		assertThat(registry.get("named").config().concurrency()).isEqualTo(4);
		assertThat(registry.get("other").config().concurrency()).isEqualTo(5);
		assertThat(queues.defaultPolicy().concurrency()).isEqualTo(2);
	}

	@Test
	void anotherProcessKnowsAfterARefresh() {
		QueueRegistry here = this.fixture.registry();
		QueueRegistry there = this.fixture.registry();
		this.fixture.queues(here).create("a", concurrency(7));
		this.fixture.queues(here).pause("a");
		assertThat(here.get("a")).isEqualTo(new LiveQueue("a", QueueState.PAUSED, here.get("a").config()));
		assertThat(there.get("a").state()).isEqualTo(QueueState.ACTIVE);
		there.refresh();
		assertThat(there.get("a")).isEqualTo(here.get("a"));
		assertThat(there.get("a").config().concurrency()).isEqualTo(7);
	}

	@Test
	void whatThisProcessWroteHidesNothingThatOthersWroteBefore() {
		QueueRegistry here = this.fixture.registry();
		QueueRegistry there = this.fixture.registry();
		here.refresh();
		this.fixture.queues(there).create("a", concurrency(7));
		here.written(this.fixture.ensure(List.of("b"), this.fixture.clock.instant()).get(0));
		assertThat(here.isKnown("a")).isFalse();
		here.refresh();
		assertThat(here.get("a").config().concurrency()).isEqualTo(7);
	}

	@Test
	void whatWasReadBeforeAChangeDoesNotUndoIt() {
		QueueRegistry registry = this.fixture.registry();
		StoreQueues queues = this.fixture.queues(registry);
		queues.create("a", concurrency(7));
		StoredQueue before = this.fixture.find("a").orElseThrow();
		queues.pause("a");
		registry.written(before);
		assertThat(registry.get("a").state()).isEqualTo(QueueState.PAUSED);
	}

	@Test
	void listenersAreToldOfWhatCountsAndOnlyWhenItChanges() {
		QueueRegistry registry = this.fixture.registry(QueueConfig.NONE, Map.of("named", concurrency(3)));
		StoreQueues queues = this.fixture.queues(registry);
		List<String> told = new ArrayList<>();
		registry.listen((before, now) -> {
			throw new IllegalStateException("A listener that fails");
		});
		registry.listen((before, now) -> told.add("%s %s %s %s -> %s %s".formatted(now.name(),
				before.config().concurrency(), before.state(), now.name(), now.config().concurrency(), now.state())));
		registry.refresh();
		assertThat(told).isEmpty();
		queues.configure("named", QueueConfig.builder().concurrency(3).build());
		assertThat(told).isEmpty();
		queues.pause("named");
		queues.setDefaultPolicy(concurrency(9));
		queues.configure("named", (before) -> QueueConfig.NONE);
		queues.configure("named", concurrency(4));
		assertThat(told).containsExactly("named 3 ACTIVE named -> 3 PAUSED", "named 3 PAUSED named -> 4 PAUSED");
	}

	@Test
	@Tag("QC-7.3-1")
	void aPolicyChangesEveryQueueThatSaysNothing() {
		QueueRegistry registry = this.fixture.registry();
		StoreQueues queues = this.fixture.queues(registry);
		queues.create("a", QueueConfig.NONE);
		List<String> told = new ArrayList<>();
		registry.listen((before, now) -> told.add(now.name() + now.config().concurrency()));
		queues.setDefaultPolicy(concurrency(9));
		assertThat(told).containsExactly("a9");
	}

	@Test
	void queuesComeToBeBySeeingThem() {
		QueueRegistry registry = this.fixture.registry(QueueConfig.NONE, Map.of("named", concurrency(3)));
		assertThat(registry.isKnown("named")).isTrue();
		assertThat(registry.isKnown("a")).isFalse();
		registry.notice("a");
		registry.refresh();
		assertThat(registry.isKnown("a")).isTrue();
		assertThat(this.fixture.queues(this.fixture.registry()).list()).extracting(JobQueue::name)
			.containsExactly("a", "named");
	}

	@Test
	@Tag("QC-6.2-4")
	void timeoutAndRetryPolicyFollowTheConfiguration() {
		QueueRegistry registry = this.fixture.registry();
		assertThat(registry.timeout("a")).isEqualTo(Duration.ofMinutes(30));
		this.fixture.queues(registry)
			.configure("a",
					QueueConfig.builder()
						.defaultTimeout(Duration.ofSeconds(9))
						.defaultRetry(RetryOverrides.NONE.maxAttempts(8))
						.build());
		assertThat(registry.timeout("a")).isEqualTo(Duration.ofSeconds(9));
		assertThat(registry.retryPolicy("a").maxAttempts()).isEqualTo(8);
	}

	private static QueueConfig concurrency(int value) {
		return QueueConfig.builder().concurrency(value).build();
	}

}
