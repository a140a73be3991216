package io.ojs.boot.web;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import io.ojs.amqp.deadletter.DeadLetterReplayer;
import io.ojs.amqp.deadletter.ReplayRefusedException;
import io.ojs.amqp.internal.observe.BrokerAnswer;
import io.ojs.amqp.internal.observe.BrokerProbe;
import io.ojs.amqp.internal.observe.QueueCounts;
import io.ojs.amqp.internal.topology.DeclaredQueue;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayResult;
import io.ojs.web.HttpError;
import io.ojs.web.HttpFailure;
import io.ojs.web.internal.deadletter.BrokerDeadLetters;

import org.springframework.amqp.AmqpException;

/**
 * Dead letters at the broker, by the {@link DeadLetterReplayer} of the application.
 */
final class ReplayedDeadLetters implements BrokerDeadLetters {

	private final TopologyDeclarer declarer;

	private final BrokerProbe probe;

	private final DeadLetterReplayer replayer;

	private final Collection<String> configured;

	ReplayedDeadLetters(TopologyDeclarer declarer, BrokerProbe probe, DeadLetterReplayer replayer,
			Collection<String> configured) {
		this.declarer = declarer;
		this.probe = probe;
		this.replayer = replayer;
		this.configured = configured;
	}

	@Override
	public Map<String, Long> counts() {
		List<DeclaredQueue> dead = this.declarer.queues(this.configured)
			.stream()
			.filter((each) -> each.role() == DeclaredQueue.Role.DEAD_LETTERS && each.queue() != null)
			.toList();
		BrokerAnswer answer = this.probe.ask(dead.stream().map(DeclaredQueue::name).toList());
		if (!answer.isComplete()) {
			throw unavailable(String.valueOf(answer.problem()));
		}
		Map<String, Long> counts = new TreeMap<>();
		for (DeclaredQueue queue : dead) {
			QueueCounts found = answer.queues().get(queue.name());
			counts.merge(Objects.requireNonNull(queue.queue()), (found != null) ? found.messages() : 0, Long::sum);
		}
		return counts;
	}

	@Override
	public ReplayResult replayAll(DeadLetterFilter filter, ReplayOptions options) {
		try {
			return this.replayer.replayAll(filter, options);
		}
		catch (ReplayRefusedException ex) {
			throw HttpFailure.conflict(String.valueOf(ex.getMessage()));
		}
		catch (AmqpException ex) {
			throw unavailable(String.valueOf(ex.getMessage()));
		}
	}

	private static HttpFailure unavailable(String problem) {
		return new HttpFailure(
				HttpError.of(503, "backend_error", "backend_error", "The broker cannot be asked: %s".formatted(problem))
					.retryAfter(1));
	}

}
