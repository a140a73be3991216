package io.ojs.boot.store;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.amqp.internal.connect.ConnectionState;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.amqp.internal.publish.AmqpJobPublisher;
import io.ojs.amqp.internal.publish.ConfirmingPublisher;
import io.ojs.amqp.internal.publish.JobRouter;
import io.ojs.amqp.internal.publish.OjsTemplate;
import io.ojs.amqp.internal.topology.Topology;
import io.ojs.boot.InvalidConfigurationException;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsAutoConfiguration;
import io.ojs.boot.OjsDataSource;
import io.ojs.boot.OjsProperties;
import io.ojs.boot.StoreProperties;
import io.ojs.boot.internal.BackgroundLifecycle;
import io.ojs.boot.internal.Clocks;
import io.ojs.boot.internal.ConditionalOnHttpApi;
import io.ojs.boot.internal.OnConnectionFactory;
import io.ojs.boot.internal.PropertiesCheck;
import io.ojs.client.OjsOperations;
import io.ojs.client.internal.Enqueuer;
import io.ojs.client.internal.JobControl;
import io.ojs.client.internal.JobFactory;
import io.ojs.event.EventFeed;
import io.ojs.event.internal.JobEvents;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.internal.admin.JobSearch;
import io.ojs.internal.fetch.FetchedQueues;
import io.ojs.internal.inspect.BrokerSight;
import io.ojs.internal.inspect.InspectionStore;
import io.ojs.internal.inspect.JobReasons;
import io.ojs.internal.inspect.Takers;
import io.ojs.internal.json.JobCodec;
import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.rate.RateLimitStore;
import io.ojs.internal.rate.RateLimiter;
import io.ojs.internal.version.HandlerStore;
import io.ojs.jdbc.internal.JdbcJobStore;
import io.ojs.jdbc.internal.JdbcStoreTransactions;
import io.ojs.jdbc.internal.StartLimits;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.StoreOptions;
import io.ojs.jdbc.internal.admin.JdbcAdminStore;
import io.ojs.jdbc.internal.admin.JdbcJobSearch;
import io.ojs.jdbc.internal.admin.JobLabels;
import io.ojs.jdbc.internal.attempt.JdbcAttemptStore;
import io.ojs.jdbc.internal.event.JdbcEventFeed;
import io.ojs.jdbc.internal.event.JdbcEventTail;
import io.ojs.jdbc.internal.handover.JdbcHandOverStore;
import io.ojs.jdbc.internal.inspect.JdbcInspectionStore;
import io.ojs.jdbc.internal.limit.BlockedJob;
import io.ojs.jdbc.internal.limit.JdbcRateLimitStore;
import io.ojs.jdbc.internal.limit.JobLimits;
import io.ojs.jdbc.internal.process.JdbcProcessStore;
import io.ojs.jdbc.internal.relay.JdbcRelayStore;
import io.ojs.jdbc.internal.retention.JdbcRetentionStore;
import io.ojs.jdbc.internal.stats.JdbcFigureStore;
import io.ojs.jdbc.internal.stats.JdbcMinuteStore;
import io.ojs.jdbc.internal.version.JdbcHandlerStore;
import io.ojs.jdbc.internal.version.JdbcProcessList;
import io.ojs.jdbc.internal.worker.JdbcFetchedQueueStore;
import io.ojs.jdbc.internal.worker.JdbcWorkerStore;
import io.ojs.jdbc.internal.workflow.JdbcWorkflowStore;
import io.ojs.jdbc.internal.workflow.WorkflowEnds;
import io.ojs.job.Rate;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueRetention;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.queue.internal.Producers;
import io.ojs.store.StoreException;
import io.ojs.store.internal.Admission;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.PeriodicTask;
import io.ojs.store.internal.PeriodicTasks;
import io.ojs.store.internal.Pruner;
import io.ojs.store.internal.Retention;
import io.ojs.store.internal.RetentionStore;
import io.ojs.store.internal.StoreClock;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.LeaseGrace;
import io.ojs.store.internal.attempt.ProcessStore;
import io.ojs.store.internal.attempt.Reaper;
import io.ojs.store.internal.relay.Cancellations;
import io.ojs.store.internal.relay.CommittedJobs;
import io.ojs.store.internal.relay.DirectPublisher;
import io.ojs.store.internal.relay.HandOver;
import io.ojs.store.internal.relay.HandOverRelayStore;
import io.ojs.store.internal.relay.HandOverStore;
import io.ojs.store.internal.relay.JobPublisher;
import io.ojs.store.internal.relay.Outbox;
import io.ojs.store.internal.relay.OverdueCheck;
import io.ojs.store.internal.relay.PublishedJobs;
import io.ojs.store.internal.relay.Relay;
import io.ojs.store.internal.relay.RelayStore;
import io.ojs.store.internal.relay.StoreDelivery;
import io.ojs.store.internal.relay.StoreDeliveryRelayStore;
import io.ojs.store.internal.relay.StoreJobControl;
import io.ojs.tenant.TenantLimitSource;
import io.ojs.tenant.internal.ThreadTenants;
import io.ojs.tenant.internal.limit.FairShares;
import io.ojs.tenant.internal.limit.TenantGate;
import io.ojs.web.internal.EnqueueRules;
import io.ojs.web.internal.endpoint.EventEndpoints;
import io.ojs.web.internal.endpoint.JobEndpoints;
import io.ojs.web.internal.endpoint.JobSearchEndpoints;
import io.ojs.web.internal.inspect.InspectionEndpoints;
import io.ojs.web.internal.stream.ChangeStreamEndpoints;
import io.ojs.web.internal.stream.ChangeStreams;
import org.slf4j.Logger;

import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration of the durable job store, for applications with a
 * {@link DataSource}: jobs are inserted in transactions, and published after the commit
 * or by a relay.
 */
@AutoConfiguration(after = OjsAutoConfiguration.class, before = OjsAmqpAutoConfiguration.class,
		// The connection factories, as in OjsAmqpAutoConfiguration, and the database.
		afterName = { "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
				"org.springframework.boot.rabbitmq.autoconfigure.RabbitAutoConfiguration",
				"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
				"org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
				"org.springframework.boot.transaction.jta.autoconfigure.JtaAutoConfiguration" })
@ConditionalOnBooleanProperty(name = { "ojs.enabled", "ojs.store.enabled" }, matchIfMissing = true)
@ConditionalOnClass({ RabbitTemplate.class, OjsTemplate.class, StoreDatabase.class, JdbcTemplate.class })
@Conditional({ OnConnectionFactory.class, OnDataSource.class })
public final class OjsStoreAutoConfiguration {

	private static final Logger logger = SafeLogger.of(OjsStoreAutoConfiguration.class);

	/**
	 * Long enough to note many jobs at once, and short compared with the grace of the
	 * relay.
	 */
	private static final Duration NOTE_INTERVAL = Duration.ofSeconds(1);

	private static final Duration RARELY = Duration.ofMinutes(1);

	private final StoreProperties properties;

	private final boolean tenants;

	private final HandOver handOver;

	private final StoreClock clock;

	private final Producers producers;

	OjsStoreAutoConfiguration(OjsProperties properties, HandOver handOver, ObjectProvider<Clock> clock,
			Producers producers) {
		PropertiesCheck.check(properties.store());
		this.handOver = handOver;
		this.producers = producers;
		this.properties = properties.store();
		this.tenants = properties.tenancy().enabled();
		this.clock = new StoreClock(Clocks.of(clock));
	}

	/**
	 * Not a default candidate: injection points of type {@link Clock} must not get it.
	 */
	@Bean(name = Clocks.STORE, defaultCandidate = false)
	StoreClock ojsStoreClock() {
		return this.clock;
	}

	/** Runs after Flyway, Liquibase and scripts, because these may create the tables. */
	@Bean
	@DependsOnDatabaseInitialization
	StoreInitializer ojsStoreInitializer(@OjsDataSource ObjectProvider<DataSource> ofJobs,
			ObjectProvider<DataSource> ofApplication) {
		return new StoreInitializer(new StoreConnection(ofJobs, ofApplication).dataSource(),
				this.properties.initializeSchema());
	}

	@Bean
	JdbcRateLimitStore ojsRateLimitStore(StoreDatabase database) {
		return new JdbcRateLimitStore(database);
	}

	/**
	 * Not in the configuration of rate limits, which can be excluded: without it, jobs
	 * would wait for ever.
	 */
	@Bean
	PeriodicTask ojsRateLimitRelease(RateLimitStore store, StartLimits limits) {
		RateLimiter limiter = new RateLimiter(store, this.clock, limits.known().getAsBoolean());
		return new PeriodicTask("The job store cannot let jobs through that wait for a rate limit",
				Duration.ofSeconds(1), limiter::release);
	}

	@Bean
	StartLimits ojsStartLimits(ObjectProvider<LiveQueues> queues, ThreadTenants tenants, TenantLimitSource limits,
			ObjectProvider<JobHandlers> handlers, OjsProperties all) {
		Supplier<LiveQueues> live = live(queues);
		return new StartLimits((queue) -> rate(live.get(), queue), new LastKnownConcurrency(tenants, limits),
				() -> worksJobs(handlers, all));
	}

	/**
	 * A process that works no jobs may lack limits that only workers have in their
	 * configuration.
	 */
	private static boolean worksJobs(ObjectProvider<JobHandlers> handlers, OjsProperties all) {
		return all.http().enabled()
				|| (all.worker().enabled() && !handlers.stream().allMatch((each) -> each.byQueue().isEmpty()));
	}

	@Bean
	StoreOptions ojsStoreOptions(JobCodec codec, Environment environment, ObjectProvider<LiveQueues> queues,
			ObjectProvider<Relay> relay, ObjectProvider<JobEvents> events, ObjectProvider<FairShares> shares,
			StartLimits limits) {
		String source = "ojs://" + environment.getProperty("spring.application.name", "application") + "/store";
		Supplier<LiveQueues> live = live(queues);
		return new StoreOptions(codec, this.clock, source, this.producers::current,
				(queue) -> retention(live.get(), queue),
				(queue) -> Objects.requireNonNullElse(config(live.get(), queue).deadLetterQueue(), queue), limits,
				() -> relay.ifAvailable(Relay::wake), shares.getIfAvailable(() -> new FairShares(false)), this.handOver,
				(told) -> events.getObject().publish(told), !this.properties.eventRetention().isZero(),
				List.of(JdbcHandlerStore::new, WorkflowEnds::new, JobLimits::new,
						JobLabels.of(this.properties.labels())));
	}

	@Bean
	@DependsOn("ojsStoreInitializer")
	StoreDatabase ojsStoreDatabase(@OjsDataSource ObjectProvider<DataSource> ofJobs,
			ObjectProvider<DataSource> ofApplication, @OjsDataSource ObjectProvider<PlatformTransactionManager> marked,
			ObjectProvider<PlatformTransactionManager> transactionManagers, StoreOptions options) {
		StoreConnection connection = new StoreConnection(ofJobs, ofApplication);
		return new StoreDatabase(connection.dataSource(), connection.transactionManager(marked, transactionManagers),
				options);
	}

	/**
	 * The queues, resolved late because they are kept in the same database, and only once
	 * because every job needs them.
	 */
	private static Supplier<LiveQueues> live(ObjectProvider<LiveQueues> queues) {
		return SingletonSupplier.of(() -> queues.getIfAvailable(() -> LiveQueues.UNMANAGED));
	}

	private static Optional<Rate> rate(LiveQueues queues, String queue) {
		return Optional.ofNullable(config(queues, queue).rateLimit())
			.map((limit) -> new Rate(limit.limit(), limit.period()));
	}

	private static QueueConfig config(LiveQueues queues, String queue) {
		return queues.get(queue).config().over(QueueConfig.DEFAULT);
	}

	private static Retention retention(LiveQueues queues, String queue) {
		QueueConfig config = config(queues, queue);
		QueueRetention retention = Objects.requireNonNull(config.retention()).over(QueueRetention.DEFAULT);
		return new Retention(Objects.requireNonNull(retention.completed()),
				Objects.requireNonNull(retention.cancelled()), Objects.requireNonNull(retention.discarded()),
				Objects.requireNonNull(config.deadLetterTtl()));
	}

	@Bean
	JdbcJobStore ojsJobStore(StoreDatabase database) {
		return new JdbcJobStore(database);
	}

	@Bean
	JdbcAttemptStore ojsAttemptStore(StoreDatabase database) {
		return new JdbcAttemptStore(database);
	}

	@Bean(destroyMethod = "")
	JdbcProcessStore ojsProcessStore(StoreDatabase database, @OjsDataSource ObjectProvider<DataSource> ofJobs,
			ObjectProvider<DataSource> ofApplication, BeanFactory beans) {
		ConnectionPool pool = new ConnectionPool(new StoreConnection(ofJobs, ofApplication).dataSource(), beans);
		return new JdbcProcessStore(database, pool.size().orElse(Integer.MAX_VALUE) < 2);
	}

	@Bean
	JdbcRelayStore ojsRelayStore(StoreDatabase database) {
		return new JdbcRelayStore(database);
	}

	@Bean
	JdbcHandOverStore ojsHandOverStore(StoreDatabase database) {
		return new JdbcHandOverStore(database);
	}

	@Bean
	JdbcHandlerStore ojsHandlerStore(StoreDatabase database) {
		return new JdbcHandlerStore(database);
	}

	@Bean
	JdbcProcessList ojsProcessList(StoreDatabase database) {
		return new JdbcProcessList(database);
	}

	@Bean
	JdbcRetentionStore ojsRetentionStore(StoreDatabase database) {
		return new JdbcRetentionStore(database);
	}

	@Bean
	JdbcFigureStore ojsFigureStore(StoreDatabase database) {
		return new JdbcFigureStore(database);
	}

	@Bean
	@Conditional(OnRetention.OfMinutes.class)
	JdbcMinuteStore ojsMinuteStore(StoreDatabase database) {
		return new JdbcMinuteStore(database);
	}

	@Bean
	JdbcAdminStore ojsAdminStore(StoreDatabase database) {
		return new JdbcAdminStore(database);
	}

	@Bean
	JdbcJobSearch ojsJobSearch(StoreDatabase database) {
		return new JdbcJobSearch(database);
	}

	@Bean
	@Conditional(OnRetention.OfEvents.class)
	JdbcEventFeed ojsEventFeed(StoreDatabase database) {
		return new JdbcEventFeed(database);
	}

	@Bean
	JdbcStoreTransactions ojsStoreTransactions(StoreDatabase database) {
		return new JdbcStoreTransactions(database);
	}

	@Bean
	AmqpJobPublisher ojsJobPublisher(JobMessages messages, ConfirmingPublisher publisher, JobRouter router,
			JobStore store, OjsProperties all) {
		return new AmqpJobPublisher(messages, publisher, router, all.publisher().confirmTimeout(), store::id,
				this.handOver);
	}

	/**
	 * Not a default candidate: injection points of type {@link RelayStore} get the store
	 * that it wraps.
	 */
	@Bean(defaultCandidate = false)
	RelayStore ojsHandOverRelayStore(RelayStore store, HandOverStore handOvers) {
		return new HandOverRelayStore(store, handOvers, this.handOver);
	}

	@Bean(destroyMethod = "")
	Relay ojsRelay(@Qualifier("ojsHandOverRelayStore") RelayStore store, JobPublisher publisher,
			ObjectProvider<FetchedQueues> held) {
		StoreDelivery delivery = held.getIfAvailable();
		RelayStore relayed = (delivery != null) ? new StoreDeliveryRelayStore(store, delivery) : store;
		return new Relay(relayed, publisher, this.clock, this.properties.relayBatchSize(),
				this.properties.relayPollInterval());
	}

	@Bean(destroyMethod = "")
	PublishedJobs ojsPublishedJobs(@Qualifier("ojsHandOverRelayStore") RelayStore store) {
		return new PublishedJobs(store, this.clock);
	}

	@Bean(destroyMethod = "")
	DirectPublisher ojsDirectPublisher(JobPublisher publisher, PublishedJobs published) {
		return new DirectPublisher(publisher, published, this.clock);
	}

	@Bean
	CommittedJobs ojsCommittedJobs(DirectPublisher direct, Relay relay, Topology topology,
			ObjectProvider<FetchedQueues> held) {
		StoreDelivery delivery = held.getIfAvailable();
		return new CommittedJobs(direct, relay, (queue) -> topology.settings(queue).ordering().isOrdered(),
				(delivery != null) ? delivery : StoreDelivery.NONE, this.properties.relayGrace());
	}

	@Bean
	Outbox ojsOutbox(JobStore store, StoreTransactions transactions, ObjectProvider<Admission> admission,
			ObjectProvider<TenantGate> ofTenants, CommittedJobs committed, Cancellations cancellations,
			JobEvents events) {
		Admission queues = this.handOver.before(admission.getIfAvailable(() -> Admission.OPEN));
		TenantGate gate = ofTenants.getIfAvailable();
		if (gate == null && this.tenants) {
			throw new InvalidConfigurationException("ojs.tenancy.enabled", true,
					"limits of tenants would not hold without OjsTenancyAutoConfiguration",
					"Do not exclude OjsTenancyAutoConfiguration, or set ojs.tenancy.enabled=false.");
		}
		return new Outbox(store, transactions, (gate != null) ? gate.before(queues) : queues, committed, cancellations,
				events, this.clock);
	}

	@Bean
	Cancellations ojsCancellations(JobControl workers) {
		return new Cancellations(workers);
	}

	@Bean
	LeaseGrace ojsLeaseGrace() {
		LeaseGrace grace = new LeaseGrace(this.properties.lease(), this.clock);
		this.clock.onJump(grace::jump);
		return grace;
	}

	@Bean
	Reaper ojsReaper(AttemptStore store, Relay relay, LeaseGrace grace) {
		return new Reaper(store, relay, grace);
	}

	@Bean
	Pruner ojsPruner(RetentionStore store, ObjectProvider<LiveQueues> queues) {
		return new Pruner(store, this.clock, (queue) -> maxDeadLetters(queues, queue),
				this.properties.eventRetention());
	}

	private static long maxDeadLetters(ObjectProvider<LiveQueues> queues, String queue) {
		return Objects
			.requireNonNull(config(queues.getIfAvailable(() -> LiveQueues.UNMANAGED), queue).deadLetterMaxSize());
	}

	@Bean
	OverdueCheck ojsOverdueCheck(@Qualifier("ojsHandOverRelayStore") RelayStore store, JobPublisher publisher,
			HandlerStore handlers, Relay relay) {
		return new OverdueCheck(store, publisher, handlers, relay, this.clock, this.properties.overdueAfter());
	}

	/** Reads the time of the store before any other bean needs it. */
	@Bean
	BackgroundLifecycle ojsStoreTime(ProcessStore processes) {
		Runnable time = () -> this.clock.read(processes::now, (now) -> now);
		PeriodicTasks reading = new PeriodicTasks(
				List.of(new PeriodicTask("The time of the job store cannot be read", StoreClock.INTERVAL, time)));
		return new BackgroundLifecycle(() -> {
			try {
				time.run();
			}
			catch (StoreException ex) {
				logger.debug("The time of the job store cannot be read yet; until then, that of the system counts", ex);
			}
			reading.start();
		}, reading::close, BackgroundLifecycle.STORE_PHASE - 1);
	}

	@Bean
	StoreLifecycle ojsStoreLifecycle(DirectPublisher direct, PublishedJobs published, Relay relay, Reaper reaper,
			Pruner pruner, OverdueCheck overdue, ObjectProvider<PeriodicTask> ofFeatures) {
		Duration check = (this.properties.overdueAfter().compareTo(RARELY) < 0) ? this.properties.overdueAfter()
				: RARELY;
		List<PeriodicTask> tasks = new ArrayList<>(List.of(
				new PeriodicTask("The job store cannot note what was published", NOTE_INTERVAL, published::flush),
				new PeriodicTask("The job store cannot take back jobs of workers that are gone",
						this.properties.reapInterval(), reaper::reap),
				new PeriodicTask("The job store cannot be compared with the broker", check, overdue::check),
				new PeriodicTask("The job store cannot delete what ended long ago", RARELY, pruner::prune)));
		ofFeatures.orderedStream().forEach(tasks::add);
		return new StoreLifecycle(direct, published, relay, new PeriodicTasks(tasks));
	}

	/**
	 * Not a default candidate: injection points of type {@link JobControl} get that of
	 * the workers.
	 */
	@Bean(defaultCandidate = false)
	StoreJobControl ojsStoreJobControl(JobStore store, StoreTransactions transactions, CommittedJobs committed,
			JobControl workers, Cancellations cancellations) {
		return new StoreJobControl(store, transactions, committed, workers, cancellations, this.clock);
	}

	@Bean
	@ConditionalOnMissingBean(OjsOperations.class)
	OjsTemplate ojsTemplate(Enqueuer enqueuer, @Qualifier("ojsStoreJobControl") StoreJobControl control) {
		return new OjsTemplate(enqueuer, control);
	}

	/**
	 * Endpoints of what any job store has.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHttpApi
	static class Http {

		@Bean
		JobEndpoints ojsJobEndpoints(OjsOperations ojs, JobFactory factory, JobStore store, JobSearch search,
				RetryPolicies retryPolicies, EnqueueRules rules, ObjectProvider<Clock> clock) {
			return new JobEndpoints(ojs, factory, store, search, retryPolicies, rules, Clocks.of(clock));
		}

		@Bean
		@Conditional(OnRetention.OfEvents.class)
		EventEndpoints ojsEventEndpoints(EventFeed feed) {
			return new EventEndpoints(feed);
		}

		@Bean
		JobSearchEndpoints ojsJobSearchEndpoints(JobSearch jobs) {
			return new JobSearchEndpoints(jobs);
		}

		@Bean
		InspectionEndpoints ojsInspectionEndpoints(StoreDatabase database, HandlerStore handlers,
				ObjectProvider<FetchedQueues> fetched, BrokerConnections connections) {
			InspectionStore store = new JdbcInspectionStore(database);
			StoreDelivery delivery = fetched.getIfAvailable();
			Takers takers = new Takers(handlers, new JdbcWorkerStore(database), new JdbcFetchedQueueStore(database));
			return new InspectionEndpoints(store,
					new JobReasons(store, new BlockedJob(database), takers, new JdbcWorkflowStore(database),
							(delivery != null) ? delivery : StoreDelivery.NONE,
							() -> trouble(connections.publishing().state()), database.options().clock()));
		}

		/** A connection that was never needed is closed, and no trouble. */
		private static Optional<BrokerSight.Trouble> trouble(ConnectionState state) {
			if (state.blocked() != null) {
				return Optional.of(new BrokerSight.Trouble(true, null, state.blocked()));
			}
			return (state.up() || state.since() == null) ? Optional.empty()
					: Optional.of(new BrokerSight.Trouble(false, state.since(), state.lastFailure()));
		}

		@Bean
		@Conditional(OnRetention.OfEvents.class)
		ChangeStreamEndpoints ojsChangeStreamEndpoints(ChangeStreams streams) {
			return new ChangeStreamEndpoints(streams);
		}

		@Bean(destroyMethod = "")
		@Conditional(OnRetention.OfEvents.class)
		ChangeStreams ojsChangeStreams(StoreDatabase database, OjsProperties properties, ObjectProvider<Clock> clock) {
			return new ChangeStreams(new JdbcEventTail(database), properties.http().maxStreams(), Clocks.of(clock));
		}

		/**
		 * Stops before the web server does, which waits for answers that are under way.
		 */
		@Bean
		@Conditional(OnRetention.OfEvents.class)
		BackgroundLifecycle ojsChangeStreamsLifecycle(ChangeStreams streams) {
			return new BackgroundLifecycle(streams::start, streams::close, SmartLifecycle.DEFAULT_PHASE);
		}

	}

}
