package io.ojs.boot.internal.actuate;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.amqp.internal.listen.ContainerState;
import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.amqp.internal.observe.BrokerAnswer;
import io.ojs.amqp.internal.observe.BrokerProbe;
import io.ojs.amqp.internal.observe.ConnectionWatch;
import io.ojs.amqp.internal.observe.QueueCounts;
import io.ojs.amqp.internal.run.RunningJob;
import io.ojs.amqp.internal.topology.DeclaredQueue;
import io.ojs.amqp.internal.topology.Drift;
import io.ojs.amqp.internal.topology.QueueSettings;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.handler.internal.JobHandlerDefinition;
import io.ojs.handler.internal.JobHandlers;
import org.jspecify.annotations.Nullable;

/**
 * Combines what this process knows with what the broker reports.
 */
public final class JobsReporter {

	private final TopologyDeclarer declarer;

	private final BrokerConnections connections;

	private final ConnectionWatch watch;

	private final BrokerProbe probe;

	private final Set<String> configured;

	private final JobHandlers handlers;

	private final @Nullable JobWorker worker;

	private final Clock clock;

	/**
	 * Creates a reporter.
	 * @param worker works queues, or {@code null} if this process only enqueues
	 */
	public JobsReporter(TopologyDeclarer declarer, BrokerConnections connections, ConnectionWatch watch,
			BrokerProbe probe, Collection<String> configured, JobHandlers handlers, @Nullable JobWorker worker,
			Clock clock) {
		this.declarer = declarer;
		this.connections = connections;
		this.watch = watch;
		this.probe = probe;
		this.configured = Set.copyOf(configured);
		this.worker = worker;
		this.handlers = handlers;
		this.clock = clock;
	}

	/**
	 * Reports on all queues.
	 * @return the report; made within the patience of the probe
	 */
	public JobsReport jobs() {
		return report(known());
	}

	/**
	 * Reports on one queue.
	 * @return the report, or {@code null} if the queue is unknown
	 */
	public @Nullable QueueReport queue(String queue) {
		List<DeclaredQueue> ofQueue = known().stream().filter((each) -> queue.equals(each.queue())).toList();
		if (ofRole(ofQueue, DeclaredQueue.Role.JOBS).findAny().isEmpty()) {
			return null;
		}
		JobsReport report = report(ofQueue);
		QueueSettings settings = this.declarer.topology().settings(queue);
		Set<String> names = new TreeSet<>(ofQueue.stream().map(DeclaredQueue::name).toList());
		List<Drift> drift = report.drift().stream().filter((each) -> names.contains(each.name())).toList();
		return new QueueReport(report.at(), report.broker(), queue, report.queues(), settings.arguments(),
				settings.retry(), report.retryQueues(), report.deadLetters(), drift);
	}

	private JobsReport report(List<DeclaredQueue> known) {
		BrokerAnswer answer = this.probe.ask(known.stream().map(DeclaredQueue::name).toList());
		return new JobsReport(this.clock.instant(), broker(answer),
				ofRole(known, DeclaredQueue.Role.JOBS).map((each) -> queue(each, answer)).toList(),
				waiting(known, DeclaredQueue.Role.RETRY_QUEUE, answer),
				waiting(known, DeclaredQueue.Role.DELAY_LEVEL, answer),
				ofRole(known, DeclaredQueue.Role.DEAD_LETTERS)
					.map((each) -> new JobsReport.DeadLetters(each.queue(), each.name(), messages(each, answer)))
					.toList(),
				this.declarer.drift());
	}

	private List<DeclaredQueue> known() {
		return this.declarer.queues(this.configured);
	}

	private JobsReport.Broker broker(BrokerAnswer answer) {
		return new JobsReport.Broker(answer.isComplete(), answer.problem(),
				List.of(this.connections.consuming().state(), this.connections.publishing().state()),
				this.watch.connections(), this.watch.channels());
	}

	private JobsReport.Queue queue(DeclaredQueue jobs, BrokerAnswer answer) {
		String queue = Objects.requireNonNull(jobs.queue());
		QueueSettings settings = this.declarer.topology().settings(queue);
		QueueCounts counts = answer.queues().get(jobs.name());
		return new JobsReport.Queue(queue, jobs.name(), settings.kind().argument(), messages(jobs, answer),
				(counts != null) ? counts.consumers() : null, worker(queue, jobs.name(), settings));
	}

	private JobsReport.@Nullable Worker worker(String queue, String amqpQueue, QueueSettings settings) {
		if (this.worker == null || !this.worker.queues().contains(queue)) {
			return null;
		}
		List<String> types = this.handlers.byQueue()
			.getOrDefault(queue, List.of())
			.stream()
			.map(JobHandlerDefinition::type)
			.sorted()
			.toList();
		int consumers = this.worker.containers()
			.stream()
			.filter((container) -> container.amqpQueues().contains(amqpQueue) || container.amqpQueues().contains(queue))
			.mapToInt(ContainerState::consumers)
			.sum();
		return new JobsReport.Worker(types, this.worker.concurrency(queue), settings.prefetch(), consumers,
				this.worker.running(queue).stream().map(JobsReporter::running).toList());
	}

	private static JobsReport.Running running(RunningJob run) {
		return new JobsReport.Running(run.job().id(), run.job().type(), run.attempt(), run.startedAt(),
				run.lastHeartbeat());
	}

	private static List<JobsReport.Waiting> waiting(List<DeclaredQueue> known, DeclaredQueue.Role role,
			BrokerAnswer answer) {
		return ofRole(known, role)
			.map((each) -> new JobsReport.Waiting(each.queue(), each.name(), each.delay(), messages(each, answer)))
			.toList();
	}

	private static Stream<DeclaredQueue> ofRole(List<DeclaredQueue> known, DeclaredQueue.Role role) {
		return known.stream().filter((each) -> each.role() == role);
	}

	private static @Nullable Long messages(DeclaredQueue queue, BrokerAnswer answer) {
		QueueCounts counts = answer.queues().get(queue.name());
		return (counts != null) ? counts.messages() : null;
	}

}
