package io.ojs.amqp.internal.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;

import io.ojs.amqp.DelayStrategy;
import io.ojs.amqp.internal.delay.RetryQueues;
import io.ojs.amqp.internal.topology.QueueSettings;
import io.ojs.amqp.internal.topology.Topology;
import io.ojs.handler.internal.JobHandlerDefinition;
import io.ojs.retry.OnExhaustion;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;

/**
 * Writes tables of the delays between attempts, one for each retry policy of a queue's
 * handlers.
 */
final class RetrySchedule {

	/** Enough to show how delays grow. */
	private static final int MOST_ROWS = 20;

	private final Topology topology;

	private final QueueSettings settings;

	RetrySchedule(Topology topology, QueueSettings settings) {
		this.topology = topology;
		this.settings = settings;
	}

	void write(Page page, List<JobHandlerDefinition> consumers) {
		page.section("Retries");
		Map<RetryPolicy, List<String>> types = new LinkedHashMap<>();
		consumers.forEach((consumer) -> types
			.computeIfAbsent(this.settings.retry().with(consumer.retry()), (policy) -> new ArrayList<>())
			.add("`" + consumer.type() + "`"));
		if (types.isEmpty()) {
			types.put(this.settings.retry(), List.of("all types"));
		}
		types.forEach((policy, names) -> write(page, policy, String.join(", ", names)));
	}

	private void write(Page page, RetryPolicy policy, String types) {
		page.paragraph("%s: %d executions in all, then %s. %s%s".formatted(types, Math.max(1, policy.maxAttempts()),
				(policy.onExhaustion() == OnExhaustion.DEAD_LETTER) ? "dead letter" : "discarded",
				policy.jitter() ? "Each delay is spread by a random factor of 0.5 to 1.5." : "Delays are exact.",
				policy.nonRetryableErrors().isEmpty() ? ""
						: " Never tried again: `" + String.join("`, `", policy.nonRetryableErrors()) + "`."));
		if (policy.maxAttempts() < 2) {
			return;
		}
		page.line("| after attempt | delay | waits in |").line("|---|---|---|");
		RetryPolicy exact = policy.with(RetryOverrides.NONE.jitter(false));
		for (int attempt = 1; attempt < policy.maxAttempts(); attempt++) {
			if (attempt > MOST_ROWS) {
				page.row("…", "", "");
				break;
			}
			Duration delay = exact.delay(attempt, RandomGenerator.getDefault());
			page.row(Integer.toString(attempt), text(delay), "`" + place(delay) + "`");
		}
	}

	private String place(Duration delay) {
		if (this.topology.delays() == DelayStrategy.PLUGIN) {
			return this.topology.naming().delayedExchange();
		}
		return this.topology.naming()
			.retryQueue(this.topology.shards(this.settings.name()).get(0).name(), RetryQueues.widthFor(delay));
	}

	/** Such as 1.5s or 2m. */
	private static String text(Duration delay) {
		return delay.toString().substring(2).toLowerCase(Locale.ROOT);
	}

}
