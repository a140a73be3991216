package io.ojs.amqp.internal.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

import io.ojs.amqp.OjsNaming;
import io.ojs.amqp.Ordering;
import io.ojs.amqp.QueueContracts;
import io.ojs.amqp.internal.topology.QueueSettings;
import io.ojs.amqp.internal.topology.Shard;
import io.ojs.amqp.internal.topology.Topology;
import io.ojs.handler.internal.JobHandlerDefinition;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.internal.log.SafeLogger;
import org.slf4j.Logger;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Queue;

/**
 * Writes the contracts from the topology and the handlers of the application.
 */
public final class QueueContractPages implements QueueContracts {

	private static final Logger logger = SafeLogger.of(QueueContractPages.class);

	private final Topology topology;

	private final JobHandlers handlers;

	private final SortedSet<String> queues;

	public QueueContractPages(Topology topology, JobHandlers handlers, Collection<String> configured) {
		this.topology = topology;
		this.handlers = handlers;
		this.queues = new TreeSet<>(configured);
		this.queues.addAll(handlers.byQueue().keySet());
	}

	@Override
	public List<String> queues() {
		return List.copyOf(this.queues);
	}

	@Override
	public void write(Path directory) throws IOException {
		Files.createDirectories(directory);
		for (String queue : this.queues) {
			Path file = directory.resolve(queue + ".md");
			Files.writeString(file, markdown(queue));
			logger.info("Wrote {}", file);
		}
	}

	@Override
	public String markdown(String queue) {
		QueueSettings settings = this.topology.settings(queue);
		// Java does not define the order of a class's methods.
		List<JobHandlerDefinition> consumers = this.handlers.byQueue()
			.getOrDefault(queue, List.of())
			.stream()
			.sorted(Comparator.comparing(JobHandlerDefinition::type))
			.toList();
		Page page = new Page("Queue " + queue,
				"Written by the application from its configuration and handlers; do not edit.");
		broker(page, queue, settings);
		message(page, queue);
		consumers(page, settings, consumers);
		new RetrySchedule(this.topology, settings).write(page, consumers);
		failing(page, queue);
		order(page, settings);
		page.section("Observability")
			.line("| what | name |")
			.line("|---|---|")
			.row("log fields", "`ojs.job.id`, `ojs.job.type`, `ojs.job.queue`, `ojs.job.attempt`")
			.row("spans", "`%s enqueue`, `%s process`".formatted(queue, queue))
			.row("events",
					"`job.scheduled`, `job.enqueued`, `job.started`, `job.progress`, `job.completed`, `job.failed`, "
							+ "`job.retrying`, `job.retry_exhausted`, `job.dead_lettered`, `job.discarded`");
		return page.text();
	}

	private void broker(Page page, String queue, QueueSettings settings) {
		OjsNaming naming = this.topology.naming();
		page.section("On the broker")
			.line("| what | |")
			.line("|---|---|")
			.row("exchange", "`%s`, direct, durable".formatted(naming.directExchange()))
			.row("queue type", settings.kind().argument());
		List<Queue> declared = new ArrayList<>();
		SortedMap<String, String> routing = new TreeMap<>();
		this.topology.queue(queue).forEach((declarable) -> {
			if (declarable instanceof Queue declaredQueue) {
				declared.add(declaredQueue);
			}
			else if (declarable instanceof Binding binding) {
				routing.put(binding.getDestination(),
						"`%s` of `%s`".formatted(binding.getRoutingKey(), binding.getExchange()));
			}
		});
		page.paragraph("All queues are durable, not exclusive, and never deleted by the broker.");
		page.line("| queue | routing key | arguments |").line("|---|---|---|");
		declared.forEach(
				(one) -> page.row("`" + one.getName() + "`", routing.getOrDefault(one.getName(), ""), arguments(one)));
	}

	private static String arguments(Queue queue) {
		StringBuilder text = new StringBuilder();
		new TreeMap<>(queue.getArguments()).forEach((name, value) -> text.append(text.isEmpty() ? "" : "<br>")
			.append('`')
			.append(name)
			.append('=')
			.append(value)
			.append('`'));
		return text.toString();
	}

	private void message(Page page, String queue) {
		page.section("Message")
			.line("| what | |")
			.line("|---|---|")
			.row("body", "an Open Job Spec envelope in JSON; `args` as below")
			.row("content type", "`application/openjobspec+json`")
			.row("durability", "persistent (`delivery_mode` 2)")
			.row("`message_id`, `type`", "the job's id and type")
			.row("`correlation_id`", "`meta.correlation_id`, if there is one")
			.row("`x-ojs-queue`", "`%s`".formatted(queue))
			.row("`x-ojs-attempt`", "the attempt that the delivery is, from 1")
			.row("`x-ojs-max-attempts`", "executions in all; it has the last word")
			.row("`x-ojs-created-at`, `x-ojs-enqueued-at`, `x-ojs-scheduled-at`", "RFC 3339")
			.row("`x-ojs-trace-id`, `x-ojs-traceparent`, `x-ojs-trace-state`", "W3C Trace Context, if there is a trace")
			.row("`x-ojs-tags`, `x-ojs-idempotency-key`", "if the job has them");
		page.section("Producers")
			.paragraph("Programs that may publish to the exchange. This application does not know them.");
	}

	private void consumers(Page page, QueueSettings settings, List<JobHandlerDefinition> consumers) {
		page.section("Consumers");
		if (consumers.isEmpty()) {
			page.paragraph("None in this application.");
			return;
		}
		page.line("| type | `args` | handler |").line("|---|---|---|");
		consumers.forEach((consumer) -> page.row("`" + consumer.type() + "`", Arguments.of(consumer.handler()),
				Page.escape(consumer.origin())));
		page.paragraph("Concurrency: %s. Prefetch: %d for each consumer.".formatted(concurrency(settings, consumers),
				settings.prefetch()));
	}

	private static String concurrency(QueueSettings settings, List<JobHandlerDefinition> consumers) {
		if (settings.ordering() == Ordering.KEY) {
			return "one job at a time in each of %d shards, over all processes".formatted(settings.shards());
		}
		if (settings.ordering() == Ordering.STRICT) {
			return "one job at a time, over all processes";
		}
		int own = settings.concurrency();
		int ofHandlers = consumers.stream().mapToInt(JobHandlerDefinition::concurrency).max().orElse(0);
		int concurrency = (own > 0) ? own : ((ofHandlers > 0) ? ofHandlers : QueueSettings.DEFAULT_CONCURRENCY);
		return "%d %s at a time in each process".formatted(concurrency, (concurrency == 1) ? "job" : "jobs");
	}

	private void failing(Page page, String queue) {
		page.section("Dead letters")
			.paragraph("`%s`, through `%s`. With the error in `x-ojs-error-code`, `x-ojs-error-message` and "
				.formatted(this.topology.naming().deadLetterQueue(queue), this.topology.naming().deadLetterExchange())
					+ "`x-ojs-error-type`; without them if the broker moved the job by itself.");
	}

	private void order(Page page, QueueSettings settings) {
		page.section("Order");
		if (settings.ordering() == Ordering.NONE) {
			page.paragraph("None: jobs run side by side.");
			return;
		}
		boolean strict = settings.ordering() == Ordering.STRICT;
		page.paragraph("%s run in the order of enqueueing, one at a time over all processes. "
			.formatted(strict ? "Strict: jobs" : "By key: jobs with the same key")
				+ "A job that is tried again loses its place.");
		if (!strict) {
			page.paragraph(
					"The shard of a key is the CRC-32 of its UTF-8 bytes, modulo %d.".formatted(settings.shards()));
			page.line("| shard | routing key |").line("|---|---|");
			List<Shard> shards = this.topology.shards(settings.name());
			for (int i = 0; i < shards.size(); i++) {
				page.row(Integer.toString(i), "`" + shards.get(i).name() + "`");
			}
		}
	}

}
