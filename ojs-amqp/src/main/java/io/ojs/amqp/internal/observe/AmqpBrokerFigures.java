package io.ojs.amqp.internal.observe;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.amqp.internal.connect.ConnectionState;
import io.ojs.amqp.internal.topology.DeclaredQueue;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.internal.figures.BrokerFigures;
import org.jspecify.annotations.Nullable;

/**
 * Asks RabbitMQ how many messages and consumers queues have.
 */
public final class AmqpBrokerFigures implements BrokerFigures {

	private static final Depth NONE = new Depth(0, null, 0, false, 0, 0);

	private final TopologyDeclarer declarer;

	private final BrokerConnections connections;

	private final BrokerProbe probe;

	private final @Nullable ManagementApi management;

	private final Set<String> configured;

	/**
	 * Creates the figures.
	 * @param management tells of unacked messages; {@code null} if it is not configured
	 * @param configured the queues that this application has handlers or properties for
	 */
	public AmqpBrokerFigures(TopologyDeclarer declarer, BrokerConnections connections, BrokerProbe probe,
			@Nullable ManagementApi management, Collection<String> configured) {
		this.declarer = declarer;
		this.connections = connections;
		this.probe = probe;
		this.management = management;
		this.configured = Set.copyOf(configured);
	}

	@Override
	public Answer ask(Collection<String> queues) {
		Set<String> all = new TreeSet<>(this.configured);
		queues.stream().filter(this.declarer.topology()::isPossible).forEach(all::add);
		List<DeclaredQueue> known = this.declarer.queues(all);
		BrokerAnswer answer = this.probe.ask(known.stream().map(DeclaredQueue::name).toList());
		List<ConnectionState> states = List.of(this.connections.consuming().state(),
				this.connections.publishing().state());
		String problem = (answer.problem() != null) ? answer.problem() : lost(states);
		Map<String, @Nullable String> owners = new HashMap<>();
		known.forEach((queue) -> owners.put(queue.name(), queue.queue()));
		return new Answer(problem, (problem != null) ? downSince(states) : null,
				states.stream().map(ConnectionState::blocked).filter(Objects::nonNull).findFirst().orElse(null),
				answer.isComplete() ? depths(known, answer.queues(), unacked()) : Map.of(),
				this.declarer.drift()
					.stream()
					.map((drift) -> new Drift(owners.get(drift.name()), drift.name(), drift.argument(), drift.wanted(),
							drift.present()))
					.toList());
	}

	/** Connections that this process has not used yet are not lost. */
	private static @Nullable String lost(List<ConnectionState> states) {
		return states.stream()
			.filter((state) -> !state.up() && state.since() != null && state.lastFailure() != null)
			.findFirst()
			.map((state) -> "the connection '%s' is lost: %s".formatted(state.name(), state.lastFailure()))
			.orElse(null);
	}

	private static @Nullable Instant downSince(List<ConnectionState> states) {
		return states.stream()
			.filter((state) -> !state.up())
			.map(ConnectionState::since)
			.filter(Objects::nonNull)
			.min(Instant::compareTo)
			.orElse(null);
	}

	private Map<String, Long> unacked() {
		return (this.management != null) ? this.management.unacked() : Map.of();
	}

	private static Map<String, Depth> depths(List<DeclaredQueue> known, Map<String, QueueCounts> counts,
			Map<String, Long> unacked) {
		return known.stream()
			.filter((queue) -> queue.queue() != null)
			.collect(Collectors.toMap((queue) -> Objects.requireNonNull(queue.queue()),
					(queue) -> depth(queue, counts.get(queue.name()), unacked.get(queue.name())),
					AmqpBrokerFigures::sum));
	}

	private static Depth depth(DeclaredQueue queue, @Nullable QueueCounts counts, @Nullable Long unacked) {
		if (counts == null) {
			return NONE;
		}
		return switch (queue.role()) {
			case JOBS -> new Depth(counts.messages(), unacked, counts.consumers(), true, 0, 0);
			case DEAD_LETTERS -> new Depth(0, null, 0, false, 0, counts.messages());
			case RETRY_QUEUE -> new Depth(0, null, 0, false, counts.messages(), 0);
			case DELAY_LEVEL -> NONE;
		};
	}

	/** An OJS queue has one AMQP queue or more for each role. */
	private static Depth sum(Depth one, Depth other) {
		return new Depth(one.ready() + other.ready(), sum(one.unacked(), other.unacked()),
				one.consumers() + other.consumers(), one.exists() || other.exists(), one.retries() + other.retries(),
				one.deadLetters() + other.deadLetters());
	}

	private static @Nullable Long sum(@Nullable Long one, @Nullable Long other) {
		return (one != null && other != null) ? Long.valueOf(one + other) : (one != null) ? one : other;
	}

}
