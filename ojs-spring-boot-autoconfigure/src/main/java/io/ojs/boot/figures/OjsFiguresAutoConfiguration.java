package io.ojs.boot.figures;

import java.net.URI;
import java.time.Clock;
import java.util.Locale;

import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.amqp.internal.observe.AmqpBrokerFigures;
import io.ojs.amqp.internal.observe.BrokerProbe;
import io.ojs.amqp.internal.observe.ManagementApi;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.boot.HttpProperties;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsProperties;
import io.ojs.boot.internal.Clocks;
import io.ojs.boot.internal.ConditionalOnHttpApi;
import io.ojs.boot.internal.KnownQueues;
import io.ojs.boot.internal.PropertiesCheck;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.internal.figures.AttentionLimits;
import io.ojs.internal.figures.BrokerFigures;
import io.ojs.internal.figures.Depths;
import io.ojs.internal.figures.FigureStore;
import io.ojs.internal.figures.Figures;
import io.ojs.internal.figures.KnownQueue;
import io.ojs.internal.stats.MemoryMinuteStore;
import io.ojs.internal.stats.MinuteRecorder;
import io.ojs.internal.stats.MinuteStore;
import io.ojs.internal.stats.Stats;
import io.ojs.queue.JobQueue;
import io.ojs.queue.QueueState;
import io.ojs.queue.Queues;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.store.internal.StoreClock;
import io.ojs.web.internal.figures.FigureEndpoints;
import io.ojs.web.internal.figures.StatsEndpoints;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of figures for operators over HTTP: how many jobs wait, what needs
 * attention, and how many jobs ended over time. Needs no job store.
 */
@AutoConfiguration(after = OjsAmqpAutoConfiguration.class,
		afterName = { "io.ojs.boot.store.OjsStoreAutoConfiguration", "io.ojs.boot.queue.OjsQueuesAutoConfiguration",
				"io.ojs.boot.web.OjsWebAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@ConditionalOnHttpApi
public final class OjsFiguresAutoConfiguration {

	private final OjsProperties properties;

	private final Clock clock;

	OjsFiguresAutoConfiguration(OjsProperties properties, @Qualifier(Clocks.STORE) ObjectProvider<StoreClock> ofStore,
			ObjectProvider<Clock> clock) {
		PropertiesCheck.check(properties.http());
		this.properties = properties;
		this.clock = Clocks.of(ofStore, clock);
	}

	@Bean
	@ConditionalOnBean(BrokerProbe.class)
	BrokerFigures ojsBrokerFigures(TopologyDeclarer declarer, BrokerConnections connections, BrokerProbe probe,
			JobHandlers handlers) {
		URI management = this.properties.http().managementUrl();
		return new AmqpBrokerFigures(
				declarer, connections, probe, (management != null)
						? new ManagementApi(management, connections.consuming().connectionFactory()) : null,
				KnownQueues.of(this.properties, handlers));
	}

	@Bean
	Figures ojsFigures(ObjectProvider<FigureStore> store, ObjectProvider<BrokerFigures> broker,
			ObjectProvider<Queues> queues, ObjectProvider<LiveQueues> live, ObjectProvider<TopologyDeclarer> declarer) {
		Depths.Reader reader = new Depths.Reader(store.getIfAvailable(), broker.getIfAvailable(),
				() -> queues.stream()
					.flatMap((managed) -> managed.list().stream())
					.map((queue) -> known(queue, declarer))
					.toList(),
				// The broker may have a queue that was deleted here: handlers and
				// properties name it.
				(name) -> new KnownQueue(name,
						live.getIfAvailable(() -> LiveQueues.UNMANAGED).get(name).state().wireName(), null, null,
						delivery(name, declarer)),
				this.clock);
		HttpProperties.AttentionProperties attention = this.properties.http().attention();
		return new Figures(reader, store.getIfAvailable(), new AttentionLimits(attention.oldestAvailable(),
				attention.noWorker(), attention.outboxLag(), attention.deadLetters(), attention.deadLettersWithin()),
				this.clock);
	}

	private static KnownQueue known(JobQueue queue, ObjectProvider<TopologyDeclarer> declarer) {
		boolean isPaused = queue.state() == QueueState.PAUSED;
		return new KnownQueue(queue.name(), queue.state().wireName(), isPaused ? queue.stateSince() : null,
				isPaused ? queue.stateBy() : null, delivery(queue.name(), declarer));
	}

	private static String delivery(String queue, ObjectProvider<TopologyDeclarer> declarer) {
		TopologyDeclarer known = declarer.getIfAvailable();
		return (known != null && known.topology().isPossible(queue))
				? known.topology().settings(queue).delivery().name().toLowerCase(Locale.ROOT).replace('_', '-')
				: "broker";
	}

	@Bean
	FigureEndpoints ojsFigureEndpoints(Figures figures) {
		return new FigureEndpoints(figures);
	}

	/** Used if no store has the numbers of all processes. */
	@Bean
	MemoryMinuteStore ojsMemoryMinuteStore() {
		return new MemoryMinuteStore();
	}

	@Bean
	StatsEndpoints ojsStatsEndpoints(ObjectProvider<MinuteStore> stores, ObjectProvider<MinuteRecorder> recorder) {
		MinuteStore store = MinuteStores.best(stores);
		MinuteRecorder own = (store instanceof MemoryMinuteStore) ? recorder.getIfAvailable() : null;
		return new StatsEndpoints(new Stats(store, own, this.clock));
	}

}
