package io.ojs.internal.figures;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.internal.figures.AttentionItem.Code;
import io.ojs.internal.figures.AttentionItem.Severity;
import io.ojs.internal.version.HandlerStore;
import org.jspecify.annotations.Nullable;

/**
 * Finds what operators should know in what is known of queues, the broker and the store.
 */
final class Attention {

	/** How many items an answer has at most. */
	private static final int MOST = 200;

	private static final String QUEUE = "queue";

	private static final String NAME = "name";

	private final AttentionLimits limits;

	private final Depths depths;

	private final Troubles troubles;

	private final List<AttentionItem> items = new ArrayList<>();

	private Attention(AttentionLimits limits, Depths depths, Troubles troubles) {
		this.limits = limits;
		this.depths = depths;
		this.troubles = troubles;
	}

	/**
	 * Finds all items.
	 * @return the worst first; of the same kind, the oldest first
	 */
	static List<AttentionItem> of(AttentionLimits limits, Depths depths, Troubles troubles) {
		Attention attention = new Attention(limits, depths, troubles);
		attention.broker();
		attention.outbox();
		depths.queues().forEach(attention::queue);
		attention.stored();
		return attention.items.stream()
			.sorted(Comparator.comparing(AttentionItem::severity)
				.thenComparing(AttentionItem::code)
				.thenComparing(AttentionItem::since, Comparator.nullsLast(Comparator.naturalOrder())))
			.limit(MOST)
			.toList();
	}

	private void broker() {
		BrokerFigures.Answer broker = this.depths.broker();
		if (broker == null) {
			return;
		}
		boolean stored = this.depths.outbox() != null;
		if (!broker.isReachable()) {
			add(Code.BROKER_DOWN, Severity.CRITICAL,
					("RabbitMQ does not answer this process: %s. %s. Look whether the broker runs and this process may "
							+ "reach it.")
						.formatted(broker.problem(),
								stored ? "New jobs stay in the store until it answers" : "No job can be enqueued"),
					broker.downSince(), null, "broker", Map.of());
		}
		if (broker.blocked() != null) {
			add(Code.BROKER_BLOCKED, Severity.CRITICAL,
					"RabbitMQ takes no messages: %s. Free memory or disk space on its nodes."
						.formatted(broker.blocked()),
					null, null, "broker", Map.of());
		}
		broker.drift()
			.forEach((drift) -> add(Code.DRIFT, Severity.WARNING,
					("'%s' at the broker has %s = %s, and this application wants %s. Change the property, or delete it "
							+ "when it is empty, and it is declared again.")
						.formatted(drift.name(), drift.argument().isEmpty() ? "an argument" : drift.argument(),
								drift.present(), drift.wanted()),
					null, drift.queue(), "broker", Map.of()));
	}

	private void outbox() {
		StoreFigures.Outbox outbox = this.depths.outbox();
		if (outbox != null && isLate(outbox.oldestAt(), this.limits.outboxLag())) {
			add(Code.OUTBOX_LAG, Severity.CRITICAL,
					("%d jobs are due and not published, the oldest for %s. A relay publishes them when RabbitMQ takes "
							+ "messages: look at the broker, and whether a process with the job store runs.")
						.formatted(outbox.waiting(), age(outbox.oldestAt())),
					outbox.oldestAt(), null, "broker", Map.of());
		}
	}

	private void queue(Depths.QueueDepth depth) {
		String name = depth.queue().name();
		Map<String, String> link = Map.of(NAME, name);
		long waiting = depth.waiting();
		Instant oldest = (depth.store() != null) ? depth.store().oldestAvailableAt() : null;
		if (depth.queue().isPaused()) {
			add(Code.QUEUE_PAUSED, Severity.INFO,
					"Queue '%s' is paused for %s; %d jobs wait. Resume it when its workers may go on.".formatted(name,
							age(depth.queue().pausedAt()), waiting),
					depth.queue().pausedAt(), name, QUEUE, link);
		}
		else if (!isWorked(depth)) {
			if (waiting > 0 && (oldest == null || isLate(oldest, this.limits.noWorker()))) {
				add(Code.NO_WORKER, Severity.CRITICAL,
						("%d jobs wait in queue '%s', and no process takes it. Start an application that has a handler of "
								+ "this queue, or move the jobs to a queue that is worked.")
							.formatted(waiting, name),
						oldest, name, QUEUE, link);
			}
		}
		else if (isLate(oldest, this.limits.oldestAvailable())) {
			add(Code.OLDEST_AVAILABLE, Severity.WARNING,
					("The oldest available job of queue '%s' has waited for %s; %d jobs wait. Look at what its workers "
							+ "run, or start more of them.")
						.formatted(name, age(oldest), waiting),
					oldest, name, QUEUE, link);
		}
	}

	private boolean isWorked(Depths.QueueDepth depth) {
		if (this.troubles.workedQueues().contains(depth.queue().name())
				|| (depth.broker() != null && depth.broker().consumers() > 0)) {
			return true;
		}
		// Without an answer of the broker, its consumers are not known.
		return depth.broker() == null && !depth.queue().delivery().equals("store");
	}

	private void stored() {
		this.troubles.processes()
			.stream()
			.filter((process) -> isLate(process.seenAt(), HandlerStore.TRUSTED))
			.forEach((process) -> add(Code.PROCESS_LOST, Severity.WARNING,
					("Process '%s' worked jobs and is silent for %s. Its jobs run again elsewhere when their leases end: "
							+ "look at its log, and whether it is to be started again.")
						.formatted(process.name(), age(process.seenAt())),
					process.seenAt(), null, "workers", Map.of()));
		this.troubles.fresh()
			.stream()
			.filter((fresh) -> fresh.count() > this.limits.deadLetters())
			.forEach((fresh) -> add(Code.NEW_DEAD_LETTERS, Severity.WARNING,
					"Queue '%s' got %s within %s. Look at what fails, and replay or delete them."
						.formatted(fresh.queue(), deadLetters(fresh.count()), text(this.limits.deadLettersWithin())),
					fresh.firstAt(), fresh.queue(), "dead-letters", Map.of("dead_letter_queue", fresh.queue())));
		this.troubles.crons()
			.forEach((cron) -> add(Code.CRON_FAILED, Severity.WARNING, (cron.jobId() != null)
					? "The last job of cron '%s' failed for good: %s. Look at the job, and retry it or trigger the cron."
						.formatted(cron.name(), cron.reason())
					: "Cron '%s' enqueued no job the last time: %s. Mend that, and trigger the cron."
						.formatted(cron.name(), cron.reason()),
					cron.at(), null, (cron.jobId() != null) ? "job" : "crons",
					(cron.jobId() != null) ? Map.of("id", cron.jobId()) : Map.of()));
		this.troubles.limits().forEach(this::full);
		this.troubles.operations()
			.forEach((operation) -> this.items.add(new AttentionItem(Code.OPERATION_RUNNING, Severity.INFO,
					"Operation %s%s is %s: %d of %s jobs are done. It can be stopped.".formatted(operation.action(),
							(operation.askedBy() != null) ? " of '" + operation.askedBy() + "'" : "", operation.state(),
							operation.done(),
							(operation.matched() != null) ? operation.matched() : "an unknown number of"),
					operation.createdAt(), null, operation.tenant(), "operations", Map.of("id", operation.id()))));
	}

	private void full(Troubles.FullLimit limit) {
		String waits = "The first job that waits for %s has waited for " + age(limit.since())
				+ ". Wait, or raise the limit.";
		if (limit.key() != null) {
			add(Code.LIMIT_FULL, Severity.INFO, waits.formatted("limit '" + limit.key() + "'"), limit.since(),
					limit.queue(), "limits", Map.of("key", limit.key()));
		}
		else if (limit.tenant() != null) {
			add(Code.LIMIT_FULL, Severity.INFO, waits.formatted("the limit of tenant '" + limit.tenant() + "'"),
					limit.since(), limit.queue(), "tenants", Map.of("id", limit.tenant()));
		}
		else {
			add(Code.LIMIT_FULL, Severity.INFO, waits.formatted("the limit of queue '" + limit.queue() + "'"),
					limit.since(), limit.queue(), "queue", Map.of("name", limit.queue()));
		}
	}

	private static String deadLetters(long count) {
		return count + ((count >= FigureStore.FRESH_BOUND) ? " or more" : "") + " dead letter"
				+ ((count != 1) ? "s" : "");
	}

	private void add(Code code, Severity severity, String sentence, @Nullable Instant since, @Nullable String queue,
			String page, Map<String, String> params) {
		this.items.add(new AttentionItem(code, severity, sentence, since, queue, null, page, params));
	}

	private boolean isLate(@Nullable Instant since, Duration allowed) {
		return since != null && since.plus(allowed).isBefore(this.depths.asOf());
	}

	private String age(@Nullable Instant since) {
		return (since != null) ? text(Duration.between(since, this.depths.asOf())) : "some time";
	}

	/** Returns a duration for people, in one unit. */
	static String text(Duration duration) {
		long seconds = Math.max(0, duration.toSeconds());
		if (seconds < 120) {
			return seconds + " s";
		}
		if (seconds < 7200) {
			return seconds / 60 + " min";
		}
		return (seconds < 172_800) ? seconds / 3600 + " h" : seconds / 86_400 + " days";
	}

	/** What is known without a store. */
	static final Troubles NOTHING = new Troubles(Set.of(), List.of(), List.of(), List.of(), List.of(), List.of());

}
