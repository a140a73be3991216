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

	private final TopologyDeclarer declarer;

	private final BrokerConnections connections;

	private final BrokerProbe probe;

	private final Set<String> configured;

	/**
	 * Creates the figures.
	 * @param configured the queues that this application has handlers or properties for
	 */
	public AmqpBrokerFigures(TopologyDeclarer declarer, BrokerConnections connections, BrokerProbe probe,
			Collection<String> configured) {
		this.declarer = declarer;
		this.connections = connections;
		this.probe = probe;
		this.configured = Set.copyOf(configured);
	}

	@Override
	public Answer ask(Collection<String> queues) {
		Set<String> all = new TreeSet<>(this.configured);
		all.addAll(queues);
		List<DeclaredQueue> known = this.declarer.queues(all);
		BrokerAnswer answer = this.probe.ask(known.stream().map(DeclaredQueue::name).toList());
		List<ConnectionState> states = List.of(this.connections.consuming().state(),
				this.connections.publishing().state());
		String problem = (answer.problem() != null) ? answer.problem() : lost(states);
		Map<String, @Nullable String> owners = new HashMap<>();
		known.forEach((queue) -> owners.put(queue.name(), queue.queue()));
		return new Answer(problem, (problem != null) ? downSince(states) : null,
				states.stream().map(ConnectionState::blocked).filter(Objects::nonNull).findFirst().orElse(null),
				answer.isComplete() ? depths(known, answer.queues()) : Map.of(),
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

	private static Map<String, Depth> depths(List<DeclaredQueue> known, Map<String, QueueCounts> counts) {
		return known.stream()
			.filter((queue) -> queue.queue() != null)
			.collect(Collectors.toMap((queue) -> Objects.requireNonNull(queue.queue()),
					(queue) -> depth(queue, counts.get(queue.name())), AmqpBrokerFigures::sum));
	}

	private static Depth depth(DeclaredQueue queue, @Nullable QueueCounts counts) {
		if (counts == null) {
			return new Depth(0, 0, false, 0, 0);
		}
		return switch (queue.role()) {
			case JOBS -> new Depth(counts.messages(), counts.consumers(), true, 0, 0);
			case DEAD_LETTERS -> new Depth(0, 0, false, 0, counts.messages());
			case RETRY_QUEUE -> new Depth(0, 0, false, counts.messages(), 0);
			case DELAY_LEVEL -> new Depth(0, 0, false, 0, 0);
		};
	}

	/** An OJS queue has one AMQP queue or more for each role. */
	private static Depth sum(Depth one, Depth other) {
		return new Depth(one.ready() + other.ready(), one.consumers() + other.consumers(),
				one.exists() || other.exists(), one.retries() + other.retries(),
				one.deadLetters() + other.deadLetters());
	}

}
