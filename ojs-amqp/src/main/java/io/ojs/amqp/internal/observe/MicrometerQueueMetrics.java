package io.ojs.amqp.internal.observe;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.ojs.job.JobState;
import io.ojs.queue.OverflowPolicy;
import io.ojs.queue.JobQueue;
import io.ojs.queue.QueueEvent;
import io.ojs.queue.QueueEventListener;
import io.ojs.queue.QueueFullException;
import io.ojs.queue.internal.lifecycle.QueueRegistry;

/**
 * The meters of OJS Queue Configuration §10.2, by Micrometer. Gauges are those of the
 * last {@link #refresh}, so that a scrape costs the database nothing, and every instance
 * reports the same store. Counters count what this process does.
 */
public final class MicrometerQueueMetrics implements QueueEventListener {

	private static final List<JobState> UNFINISHED = Stream.of(JobState.values())
		.filter((state) -> !state.isTerminal())
		.toList();

	private final MeterRegistry registry;

	private final BoundedNames names = new BoundedNames(Set.of(), MicrometerAmqpMetrics.MAX_QUEUES);

	private final MultiGauge depth;

	private final MultiGauge maxSize;

	private final MultiGauge utilization;

	private final LongAdder created = new LongAdder();

	private final Counter deleted;

	/**
	 * Registers the meters.
	 * @param queues counts queues that were created by their first job
	 */
	public MicrometerQueueMetrics(MeterRegistry registry, QueueRegistry queues) {
		this.registry = registry;
		this.depth = gauge("ojs.queue.depth", "Jobs that have not ended");
		this.maxSize = gauge("ojs.queue.max_size", "Most jobs that the queue takes");
		this.utilization = gauge("ojs.queue.utilization", "Jobs that have not ended, of the most that the queue takes");
		FunctionCounter
			.builder("ojs.queue.created.count", this, (metrics) -> metrics.created.sum() + (double) queues.made())
			.description("Queues created")
			.register(registry);
		this.deleted = Counter.builder("ojs.queue.deleted.count").description("Queues deleted").register(registry);
	}

	private MultiGauge gauge(String name, String description) {
		return MultiGauge.builder(name).description(description).register(this.registry);
	}

	@Override
	public void onEvent(QueueEvent event) {
		if (event instanceof QueueEvent.Created) {
			this.created.increment();
		}
		else if (event instanceof QueueEvent.Deleted) {
			this.deleted.increment();
		}
		else if (event instanceof QueueEvent.Overflow) {
			overflow(event.queue(), OverflowPolicy.DROP_OLDEST);
		}
	}

	@Override
	public void onRefusal(QueueFullException refused) {
		overflow(refused.queue(), refused.policy());
	}

	private void overflow(String queue, OverflowPolicy policy) {
		Counter.builder("ojs.queue.overflow.count")
			.description("Jobs rejected or dropped because their queue was full")
			.tag("queue", this.names.admit(queue))
			.tag("policy", policy.name().toLowerCase(Locale.ROOT))
			.register(this.registry)
			.increment();
	}

	/**
	 * Updates the gauges.
	 * @param unfinished the number of jobs, by queue and state
	 */
	public void refresh(List<JobQueue> queues, Map<String, Map<JobState, Long>> unfinished) {
		Map<String, Map<JobState, Long>> depths = new HashMap<>();
		List<MultiGauge.Row<?>> sizes = new ArrayList<>();
		List<MultiGauge.Row<?>> ratios = new ArrayList<>();
		for (JobQueue queue : queues) {
			String name = this.names.admit(queue.name());
			depths.computeIfAbsent(name, (key) -> new HashMap<>());
			Long maxSize = queue.config().maxSize();
			if (maxSize != null && maxSize > 0 && !name.equals(BoundedNames.OTHER)) {
				double jobs = unfinished.getOrDefault(queue.name(), Map.of())
					.values()
					.stream()
					.mapToLong(Long::longValue)
					.sum();
				sizes.add(MultiGauge.Row.of(Tags.of("queue", name), maxSize));
				ratios.add(MultiGauge.Row.of(Tags.of("queue", name), jobs / maxSize));
			}
		}
		unfinished.forEach((queue, counts) -> {
			Map<JobState, Long> sum = depths.computeIfAbsent(this.names.admit(queue), (key) -> new HashMap<>());
			counts.forEach((state, jobs) -> sum.merge(state, jobs, Long::sum));
		});
		List<MultiGauge.Row<?>> rows = new ArrayList<>();
		depths.forEach((queue, counts) -> UNFINISHED.forEach((state) -> rows.add(MultiGauge.Row
			.of(Tags.of("queue", queue, "state", state.wireName()), counts.getOrDefault(state, 0L)))));
		this.depth.register(rows, true);
		this.maxSize.register(sizes, true);
		this.utilization.register(ratios, true);
	}

}
