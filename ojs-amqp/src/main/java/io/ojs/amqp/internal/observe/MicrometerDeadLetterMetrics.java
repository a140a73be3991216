package io.ojs.amqp.internal.observe;

import java.util.ArrayList;
import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.ojs.deadletter.internal.DeadLetterCounts;

/**
 * Gauges of the dead letters in the job store, by Micrometer (OJS Dead Letter §11.2):
 * {@code ojs.dead_letter.total} by queue. Values are those of the last {@link #refresh},
 * so that a scrape costs the database nothing. Every instance reports the same store.
 */
public final class MicrometerDeadLetterMetrics {

	private final DeadLetterCounts counts;

	private final MultiGauge gauge;

	/** Registers the gauges. */
	public MicrometerDeadLetterMetrics(MeterRegistry registry, DeadLetterCounts counts) {
		this.counts = counts;
		this.gauge = MultiGauge.builder("ojs.dead_letter.total")
			.description("Dead letters that the job store keeps")
			.register(registry);
	}

	/**
	 * Counts again.
	 * @throws io.ojs.store.StoreException if the database cannot be read; the values stay
	 * as they were
	 */
	public void refresh() {
		this.counts.refresh();
		List<MultiGauge.Row<?>> rows = new ArrayList<>();
		this.counts.forEach((queue, count) -> rows.add(MultiGauge.Row.of(Tags.of("queue", queue), count)));
		this.gauge.register(rows, true);
	}

}
