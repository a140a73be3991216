package io.ojs.amqp.observe;

import java.util.ArrayList;
import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.ojs.deadletter.DeadLetterCounts;

/**
 * How many dead letters the job store keeps, by Micrometer (OJS Dead Letter §11.2):
 * {@code ojs.dead_letter.total} by queue. The numbers are those of the last
 * {@link #refresh}, so a scrape costs the database nothing. Every instance tells those of
 * the one store.
 */
public final class MicrometerDeadLetterMetrics {

	private final DeadLetterCounts counts;

	private final MultiGauge gauge;

	/**
	 * Creates it.
	 * @param registry where the meters are registered
	 * @param counts knows how many there are
	 */
	public MicrometerDeadLetterMetrics(MeterRegistry registry, DeadLetterCounts counts) {
		this.counts = counts;
		this.gauge = MultiGauge.builder("ojs.dead_letter.total")
			.description("Dead letters that the job store keeps")
			.register(registry);
	}

	/**
	 * Counts anew.
	 * @throws io.ojs.store.StoreException if the database does not let it; the numbers
	 * stay those of the last time
	 */
	public void refresh() {
		this.counts.refresh();
		List<MultiGauge.Row<?>> rows = new ArrayList<>();
		this.counts.forEach((queue, count) -> rows.add(MultiGauge.Row.of(Tags.of("queue", queue), count)));
		this.gauge.register(rows, true);
	}

}
