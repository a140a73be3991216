package io.ojs.boot;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.ojs.amqp.ConnectionEvent;
import io.ojs.amqp.ConnectionEventListener;
import io.ojs.amqp.OjsNaming;
import io.ojs.amqp.OrderingKeyResolver;
import io.ojs.amqp.deadletter.DeadLetterReplayer;
import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.amqp.internal.connect.ConnectionEvents;
import io.ojs.amqp.internal.control.AmqpJobControl;
import io.ojs.amqp.internal.control.ControlMessages;
import io.ojs.amqp.internal.deadletter.AmqpDeadLetterReplayer;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.amqp.internal.observe.AmqpMetrics;
import io.ojs.amqp.internal.observe.BrokerProbe;
import io.ojs.amqp.internal.observe.ConnectionWatch;
import io.ojs.amqp.internal.publish.BrokerEnqueueStrategy;
import io.ojs.amqp.internal.publish.ConfirmingPublisher;
import io.ojs.amqp.internal.publish.JobRouter;
import io.ojs.amqp.internal.publish.OjsTemplate;
import io.ojs.amqp.internal.publish.PatientPublisher;
import io.ojs.amqp.internal.publish.StoreEnqueueStrategy;
import io.ojs.amqp.internal.topology.BindingNaming;
import io.ojs.amqp.internal.topology.BrokerVersion;
import io.ojs.amqp.internal.topology.GuideNaming;
import io.ojs.amqp.internal.topology.Topology;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.boot.internal.Clocks;
import io.ojs.boot.internal.KnownQueues;
import io.ojs.boot.internal.OnConnectionFactory;
import io.ojs.boot.internal.PropertiesCheck;
import io.ojs.boot.internal.QueueOrder;
import io.ojs.boot.internal.QueueSettingsFactory;
import io.ojs.client.OjsOperations;
import io.ojs.client.internal.EnqueueStrategy;
import io.ojs.client.internal.Enqueuer;
import io.ojs.client.internal.JobControl;
import io.ojs.client.internal.JobFactory;
import io.ojs.event.internal.JobEvents;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.internal.json.JobCodec;
import io.ojs.internal.trace.JobTracing;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.relay.HandOver;
import io.ojs.store.internal.relay.Outbox;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Auto-configuration of jobs on RabbitMQ: exchanges and queues on the broker, and the
 * {@link OjsTemplate} that enqueues jobs.
 */
@AutoConfiguration(after = OjsAutoConfiguration.class,
		// Boot 4.2 moves its auto-configuration; names that do not exist are ignored.
		afterName = { "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
				"org.springframework.boot.rabbitmq.autoconfigure.RabbitAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@ConditionalOnClass({ RabbitTemplate.class, OjsTemplate.class })
@Conditional(OnConnectionFactory.class)
public final class OjsAmqpAutoConfiguration {

	/** How long the endpoint and the health wait for the broker. */
	private static final Duration PROBE_PATIENCE = Duration.ofSeconds(3);

	private final OjsProperties properties;

	private final ConnectionFactory connectionFactory;

	private final Clock clock;

	OjsAmqpAutoConfiguration(OjsProperties properties, @OjsConnectionFactory ObjectProvider<ConnectionFactory> ofJobs,
			ObjectProvider<ConnectionFactory> ofApplication, ObjectProvider<Clock> clock) {
		PropertiesCheck.check(properties);
		this.clock = Clocks.of(clock);
		this.properties = properties;
		this.connectionFactory = PropertiesCheck.check(connectionFactory(ofJobs, ofApplication));
	}

	/** The connection factory that is marked for jobs, or else the application's. */
	static ConnectionFactory connectionFactory(ObjectProvider<ConnectionFactory> ofJobs,
			ObjectProvider<ConnectionFactory> ofApplication) {
		return ofJobs.getIfAvailable(ofApplication::getObject);
	}

	@Bean
	@ConditionalOnMissingBean
	OjsNaming ojsNaming() {
		String prefix = this.properties.prefix();
		String withDot = (prefix.isEmpty() || prefix.endsWith(".")) ? prefix : prefix + ".";
		return (this.properties.naming() == OjsProperties.Naming.GUIDE) ? new GuideNaming(withDot)
				: new BindingNaming(withDot);
	}

	@Bean
	Topology ojsTopology(OjsNaming naming, QueueSettingsFactory settings,
			ObjectProvider<OrderingKeyResolver> orderingKeys) {
		settings.check();
		return new Topology(naming, settings::settings, orderingKeys.getIfAvailable(() -> OrderingKeyResolver.META),
				this.properties.delay().strategy());
	}

	@Bean
	ConnectionEvents ojsConnectionEvents(ObjectProvider<ConnectionEventListener> listeners,
			ApplicationEventPublisher publisher, ObjectProvider<AmqpMetrics> metrics) {
		List<ConnectionEventListener> all = new ArrayList<>(listeners.orderedStream().toList());
		metrics.ifAvailable((meters) -> all.add((event) -> {
			if (event instanceof ConnectionEvent.Reconnecting) {
				meters.reconnecting();
			}
		}));
		all.add(publisher::publishEvent);
		return new ConnectionEvents(all);
	}

	@Bean
	BrokerConnections ojsBrokerConnections(ConnectionEvents events) {
		return new BrokerConnections(this.connectionFactory, this.properties.reconnect().backoff(), events, this.clock);
	}

	@Bean
	ConfirmingPublisher ojsConfirmingPublisher(BrokerConnections connections, ObjectProvider<AmqpMetrics> metrics) {
		// Not a bean, because Spring Boot would then not create the application's own.
		RabbitTemplate template = new RabbitTemplate(this.connectionFactory);
		template.setUsePublisherConnection(true);
		return new ConfirmingPublisher(template, connections.publishing(),
				metrics.getIfAvailable(() -> AmqpMetrics.NONE));
	}

	@Bean
	TopologyDeclarer ojsTopologyDeclarer(Topology topology, BrokerConnections connections) {
		return new TopologyDeclarer(topology, new RabbitAdmin(this.connectionFactory), connections.consuming(),
				this.properties.topology().declaration());
	}

	@Bean
	ConnectionWatch ojsConnectionWatch() {
		return new ConnectionWatch(this.connectionFactory, this.clock);
	}

	@Bean
	BrokerProbe ojsBrokerProbe(BrokerConnections connections) {
		return new BrokerProbe(connections.consuming(), PROBE_PATIENCE);
	}

	@Bean
	EagerDeclaration ojsEagerDeclaration(TopologyDeclarer declarer, JobHandlers handlers,
			ObjectProvider<JobStore> store, HandOver handOver) {
		if (store.stream().findAny().isEmpty()) {
			StoreOnlyProperties.check(this.properties);
		}
		QueueDelivery.check(handOver, handlers);
		handlers.byQueue().forEach((queue, ofQueue) -> QueueOrder.check(declarer.topology().settings(queue), ofQueue));
		return new EagerDeclaration(declarer, KnownQueues.of(this.properties, handlers));
	}

	@Bean
	JobMessages ojsJobMessages(JobCodec codec) {
		return new JobMessages(codec, (int) this.properties.receivedSize().toBytes());
	}

	@Bean
	JobRouter ojsJobRouter(TopologyDeclarer declarer) {
		return new JobRouter(declarer, new BrokerVersion(new RabbitTemplate(this.connectionFactory)), this.clock);
	}

	@Bean
	PatientPublisher ojsPatientPublisher(ConfirmingPublisher publisher) {
		return new PatientPublisher(publisher, this.properties.publisher().confirmTimeout());
	}

	@Bean
	ControlMessages ojsControlMessages(JobCodec codec) {
		return new ControlMessages(codec);
	}

	@Bean
	JobControl ojsJobControl(TopologyDeclarer declarer, PatientPublisher publisher, ControlMessages messages) {
		RabbitTemplate questions = new RabbitTemplate(this.connectionFactory);
		questions.setUsePublisherConnection(true);
		questions.setUseTemporaryReplyQueues(true);
		return new AmqpJobControl(declarer, publisher, messages, questions,
				this.properties.publisher().confirmTimeout());
	}

	@Bean
	DeadLetterReplayer ojsDeadLetterReplayer(BrokerConnections connections, ConfirmingPublisher publisher,
			OjsNaming naming, JobMessages messages, JobEvents events) {
		return new AmqpDeadLetterReplayer(connections.consuming(), publisher, naming, messages, events, this.clock,
				this.properties.publisher().confirmTimeout());
	}

	@Bean
	@ConditionalOnMissingBean(OjsOperations.class)
	OjsTemplate ojsTemplate(Enqueuer enqueuer, JobControl control) {
		return new OjsTemplate(enqueuer, control);
	}

	@Bean
	Enqueuer ojsEnqueuer(JobFactory jobs, EnqueueStrategy strategy, ObjectProvider<JobTracing> tracing) {
		return new Enqueuer(jobs, tracing.getIfAvailable(() -> JobTracing.NONE), strategy);
	}

	/** With a job store, jobs are inserted there. */
	@Bean
	EnqueueStrategy ojsEnqueueStrategy(ObjectProvider<Outbox> outbox, JobMessages messages, PatientPublisher publisher,
			JobRouter router, JobEvents events) {
		Outbox stored = outbox.getIfAvailable();
		return (stored != null) ? new StoreEnqueueStrategy(stored, messages)
				: new BrokerEnqueueStrategy(messages, publisher, router, events);
	}

}
