package io.ojs.boot.internal.actuate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.amqp.internal.connect.ConnectionState;
import io.ojs.amqp.internal.listen.ContainerState;
import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.amqp.internal.observe.BrokerAnswer;
import io.ojs.amqp.internal.observe.BrokerProbe;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Whether this process can enqueue jobs and, if it has a worker, works them: the broker
 * answers, and every worked queue has a consumer of this process. Queues that exist with
 * other arguments are a detail and do not make the health down.
 */
public final class OjsHealthIndicator extends AbstractHealthIndicator {

	private final BrokerProbe probe;

	private final BrokerConnections connections;

	private final TopologyDeclarer declarer;

	private final @Nullable JobWorker worker;

	/**
	 * Creates the indicator.
	 * @param worker works queues, or {@code null} if this process only enqueues
	 */
	public OjsHealthIndicator(BrokerProbe probe, BrokerConnections connections, TopologyDeclarer declarer,
			@Nullable JobWorker worker) {
		super("The health of jobs could not be told");
		this.probe = probe;
		this.connections = connections;
		this.declarer = declarer;
		this.worker = worker;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		BrokerAnswer answer = this.probe.ask(List.of());
		List<String> problems = new ArrayList<>();
		if (answer.problem() != null) {
			problems.add("The broker cannot be reached: " + answer.problem());
		}
		Map<String, Integer> consumers = new TreeMap<>();
		if (this.worker != null) {
			this.worker.containers().forEach((container) -> look(container, consumers, problems));
			builder.withDetail("queues", this.worker.queues());
		}
		builder.withDetail("consumers", consumers).withDetail("drift", this.declarer.drift().size());
		connection(this.connections.consuming().state(), builder);
		connection(this.connections.publishing().state(), builder);
		if (problems.isEmpty()) {
			builder.up();
		}
		else {
			builder.down().withDetail("reasons", problems);
		}
	}

	private static void look(ContainerState container, Map<String, Integer> consumers, List<String> problems) {
		String queue = String.join(", ", container.amqpQueues());
		consumers.put(queue, container.consumers());
		if (!container.running()) {
			problems.add("Queue %s is not worked: its consumers were stopped".formatted(queue));
		}
		else if (container.consumers() == 0) {
			problems.add("Queue %s has no consumer of this process".formatted(queue));
		}
	}

	/** Adds a connection as a detail once the process has used it. */
	private static void connection(ConnectionState state, Health.Builder builder) {
		if (state.since() == null) {
			return;
		}
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("up", state.up());
		details.put("since", state.since().toString());
		details.put("reconnections", state.reconnections());
		if (state.blocked() != null) {
			details.put("blocked", state.blocked());
		}
		if (state.lastFailure() != null) {
			details.put("lastFailure", state.lastFailure());
		}
		builder.withDetail(state.name(), details);
	}

}
