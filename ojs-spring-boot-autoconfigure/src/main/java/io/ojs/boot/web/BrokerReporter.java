package io.ojs.boot.web;

import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.amqp.internal.connect.ConnectionState;
import io.ojs.amqp.internal.observe.BrokerAnswer;
import io.ojs.amqp.internal.observe.BrokerProbe;
import io.ojs.amqp.internal.observe.ConnectionWatch;
import io.ojs.amqp.internal.observe.OpenConnection;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.web.internal.broker.BrokerReport;
import io.ojs.web.internal.broker.BrokerReports;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Asks the broker, at most once in two seconds, however many callers want to know. While
 * one of them waits for a broker that is slow, the others get the last report.
 */
final class BrokerReporter implements BrokerReports {

	private static final Duration RECENT = Duration.ofSeconds(2);

	/**
	 * A broker that answers late or not at all is asked again after this many times as
	 * long, so that callers seldom wait for it.
	 */
	private static final int PAUSE = 3;

	private final BrokerConnections connections;

	private final ConnectionWatch watch;

	private final BrokerProbe probe;

	private final TopologyDeclarer declarer;

	private final Clock clock;

	private final ReentrantLock asking = new ReentrantLock();

	private volatile @Nullable Snapshot last;

	BrokerReporter(BrokerConnections connections, ConnectionWatch watch, BrokerProbe probe, TopologyDeclarer declarer,
			Clock clock) {
		this.connections = connections;
		this.watch = watch;
		this.probe = probe;
		this.declarer = declarer;
		this.clock = clock;
	}

	@Override
	public BrokerReport report() {
		Snapshot known = this.last;
		if (known != null && (known.isRecent() || !this.asking.tryLock())) {
			return known.report();
		}
		if (known == null) {
			this.asking.lock();
		}
		try {
			Snapshot meanwhile = this.last;
			if (meanwhile != null && meanwhile.isRecent()) {
				return meanwhile.report();
			}
			long began = System.nanoTime();
			BrokerReport report = ask();
			long ended = System.nanoTime();
			this.last = new Snapshot(report, ended, Math.max(RECENT.toNanos(), (ended - began) * PAUSE));
			return report;
		}
		finally {
			this.asking.unlock();
		}
	}

	private BrokerReport ask() {
		ConnectionState consuming = this.connections.consuming().state();
		// A connection that was tried and is down is being opened already.
		boolean down = !consuming.up() && consuming.since() != null;
		String problem;
		if (down) {
			problem = Objects.requireNonNullElse(consuming.lastFailure(), "There is no connection.");
		}
		else {
			BrokerAnswer answer = this.probe.ask(List.of());
			problem = answer.problem();
		}
		List<OpenConnection> open = this.watch.connections()
			.stream()
			.sorted(Comparator.comparing(OpenConnection::since))
			.toList();
		return new BrokerReport(this.clock.instant(), problem == null, problem, first(open, OpenConnection::product),
				first(open, OpenConnection::version), first(open, OpenConnection::cluster), addresses(open),
				List.of(connection(this.connections.consuming().state()),
						connection(this.connections.publishing().state())),
				this.declarer.drift()
					.stream()
					.map((drift) -> new BrokerReport.Drift(drift.name(), drift.argument(), drift.wanted(),
							drift.present()))
					.toList());
	}

	private static @Nullable String first(List<OpenConnection> open, Function<OpenConnection, @Nullable String> value) {
		return open.stream().map(value).filter(Objects::nonNull).findFirst().orElse(null);
	}

	private List<String> addresses(List<OpenConnection> open) {
		if (!open.isEmpty()) {
			return open.stream().map((each) -> each.host() + ":" + each.port()).distinct().toList();
		}
		ConnectionFactory factory = this.connections.consuming().connectionFactory();
		return List.of(factory.getHost() + ":" + factory.getPort());
	}

	private static BrokerReport.Connection connection(ConnectionState state) {
		String shown = state.up() ? "open" : "closed";
		boolean blocked = state.up() && state.blocked() != null;
		return new BrokerReport.Connection(state.name(), blocked ? "blocked" : shown, state.since(),
				blocked ? state.blockedSince() : null, blocked ? state.blocked() : state.lastFailure(),
				state.reconnections());
	}

	/**
	 * A report and when it was made, as {@link System#nanoTime()}.
	 */
	private record Snapshot(BrokerReport report, long nanos, long lasts) {

		private boolean isRecent() {
			return System.nanoTime() - this.nanos < this.lasts;
		}

	}

}
