package io.ojs.boot;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.ojs.amqp.connect.ReconnectBackoff;
import io.ojs.amqp.delay.DelayStrategy;
import io.ojs.amqp.listen.DeadLettering;
import io.ojs.amqp.order.Ordering;
import io.ojs.amqp.topology.Declaration;
import io.ojs.amqp.topology.Overflow;
import io.ojs.amqp.topology.QueueKind;
import io.ojs.queue.Delivery;
import io.ojs.queue.OverflowPolicy;
import io.ojs.retry.BackoffStrategy;
import io.ojs.retry.OnExhaustion;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Background jobs. A key that is not here stops the application, so that a misspelt one
 * is not silently nothing.
 *
 * @param enabled Whether jobs are enqueued and worked at all.
 * @param naming Names of exchanges and queues on the broker.
 * @param prefix Text that begins the name of every exchange and queue, to keep
 * applications apart that share a broker.
 * @param maxEnvelopeSize Size of an encoded job above which it is refused.
 * @param maxReceivedSize Size of a message of the broker above which it is no job. Twice
 * the size of an encoded job by default: jobs of workflows carry results.
 * @param topology Exchanges and queues.
 * @param reconnect Getting lost connections back.
 * @param publisher Enqueueing.
 * @param worker Working.
 * @param delay Scheduled jobs and retries.
 * @param contracts Descriptions of the queues.
 * @param unique Unique jobs.
 * @param strictQueues Whether a job for a queue that nobody declared is refused; needs a
 * job store.
 * @param producer Name of this application, for queues that take jobs of some producers
 * only. The name of the application by default.
 * @param store Jobs in a database.
 * @param http The OJS HTTP API.
 * @param tenancy Jobs that belong to tenants.
 * @param encryption Arguments of jobs that nobody but their handlers can read.
 * @param cron Jobs that are enqueued again and again.
 * @param workflows Jobs that belong together; needs a job store.
 * @param webhooks Events that are posted to whoever subscribed to them.
 * @param queueDefaults What every queue has unless it says otherwise.
 * @param queues What single queues have, by their names; a name with dots is written in
 * brackets.
 */
@ConfigurationProperties(prefix = "ojs", ignoreUnknownFields = false)
public record OjsProperties(@DefaultValue("true") boolean enabled, @DefaultValue("binding") Naming naming,
		@DefaultValue("") String prefix, @DefaultValue("1MB") DataSize maxEnvelopeSize,
		@Nullable DataSize maxReceivedSize, @DefaultValue TopologyProperties topology,
		@DefaultValue ReconnectProperties reconnect, @DefaultValue PublisherProperties publisher,
		@DefaultValue WorkerProperties worker, @DefaultValue DelayProperties delay,
		@DefaultValue ContractsProperties contracts, @DefaultValue UniqueProperties unique,
		@DefaultValue("false") boolean strictQueues, @Nullable String producer, @DefaultValue StoreProperties store,
		@DefaultValue HttpProperties http, @DefaultValue @NestedConfigurationProperty TenancyProperties tenancy,
		@DefaultValue @NestedConfigurationProperty EncryptionProperties encryption,
		@DefaultValue @NestedConfigurationProperty CronProperties cron, @DefaultValue WorkflowsProperties workflows,
		@DefaultValue @NestedConfigurationProperty WebhooksProperties webhooks,
		@DefaultValue QueueProperties queueDefaults, @DefaultValue Map<String, QueueProperties> queues) {

	/** Larger messages of the broker are no jobs. */
	DataSize receivedSize() {
		return (this.maxReceivedSize != null) ? this.maxReceivedSize
				: DataSize.ofBytes(2 * this.maxEnvelopeSize.toBytes());
	}

	/**
	 * The names of exchanges and queues.
	 */
	public enum Naming {

		/** Those of the AMQP binding: {@code ojs.exchange.direct}. */
		BINDING,

		/** Those of the AMQP guide: {@code ojs.direct}. */
		GUIDE

	}

	/**
	 * Exchanges and queues.
	 *
	 * @param declaration Time at which exchanges and queues are declared.
	 */
	public record TopologyProperties(@DefaultValue("eager") Declaration declaration) {
	}

	/**
	 * Getting lost connections back.
	 *
	 * @param initialInterval Delay before the first attempt; it doubles with each further
	 * one.
	 * @param maxInterval Longest delay between attempts.
	 * @param jitter Part of a delay by which it is changed at random, either way.
	 */
	public record ReconnectProperties(@DefaultValue("1s") Duration initialInterval,
			@DefaultValue("60s") Duration maxInterval, @DefaultValue("0.25") double jitter) {

		ReconnectBackoff backoff() {
			return new ReconnectBackoff(this.initialInterval, this.maxInterval, this.jitter);
		}

	}

	/**
	 * Enqueueing.
	 *
	 * @param confirmTimeout Time to wait until the broker confirms a job, and for a
	 * connection when there is none.
	 * @param blockTimeout Time to wait for room in a full queue whose overflow policy is
	 * block; needs a job store.
	 */
	public record PublisherProperties(@DefaultValue("5s") Duration confirmTimeout,
			@DefaultValue("5s") Duration blockTimeout) {
	}

	/**
	 * Working.
	 *
	 * @param enabled Whether this application works the queues of its handlers; it can
	 * enqueue either way.
	 * @param shutdownGrace Time that running jobs have to end when the application stops;
	 * keep it below spring.lifecycle.timeout-per-shutdown-phase.
	 * @param deadLetters Way in which jobs that failed for good get to the dead letter
	 * queue: published with what went wrong, or nacked as they are.
	 * @param cancelRetention Time for which a cancelled job that waits somewhere is
	 * remembered, to be dropped when its turn comes.
	 * @param replyQueues Queues to which questions about jobs are answered, beside those
	 * that the broker has named; a star stands for anything.
	 */
	public record WorkerProperties(@DefaultValue("true") boolean enabled, @DefaultValue("25s") Duration shutdownGrace,
			@DefaultValue("publish") DeadLettering deadLetters, @DefaultValue("7d") Duration cancelRetention,
			@DefaultValue List<String> replyQueues) {
	}

	/**
	 * Scheduled jobs and retries.
	 *
	 * @param strategy Place where they wait: levels, which are queues, or plugin, which
	 * is an exchange of the plugin rabbitmq_delayed_message_exchange.
	 */
	public record DelayProperties(@DefaultValue("levels") DelayStrategy strategy) {
	}

	/**
	 * Descriptions of the queues.
	 *
	 * @param directory Directory to write one file for each queue to. If it is set, the
	 * application does that and ends, without asking a broker.
	 */
	public record ContractsProperties(@Nullable Path directory) {
	}

	/**
	 * Unique jobs.
	 *
	 * @param secret Secret by which the keys of unique jobs are made, so that they tell
	 * nothing of arguments that can be guessed; the same in all applications that share a
	 * job store. At least 16 characters. Plain hashes by default.
	 */
	public record UniqueProperties(@Nullable String secret) {

		@Override
		public String toString() {
			return "UniqueProperties[secret=" + ((this.secret != null) ? "******" : "null") + "]";
		}

	}

	/**
	 * Jobs in a database.
	 *
	 * @param enabled Whether jobs are kept in the database of the application's
	 * DataSource, if it has one.
	 * @param initializeSchema Databases whose tables are migrated when the application
	 * starts: embedded ones, all, or none.
	 * @param relayGrace Time that the relay leaves to those who publish a job right after
	 * its commit.
	 * @param relayBatchSize Number of jobs that the relay takes at once.
	 * @param relayPollInterval Longest time after which the relay looks for jobs that are
	 * due or were left over.
	 * @param overdueAfter Time after which jobs that the broker should have are counted,
	 * and published again if it has fewer.
	 * @param reapInterval Time between looks for jobs whose worker is gone.
	 * @param eventRetention Time for which events are kept; 0 for no feed of events.
	 * @param lease Time after which a job is taken from a worker that does not say that
	 * it still runs.
	 */
	public record StoreProperties(@DefaultValue("true") boolean enabled,
			@DefaultValue("embedded") SchemaInitialization initializeSchema, @DefaultValue("10s") Duration relayGrace,
			@DefaultValue("500") int relayBatchSize, @DefaultValue("1s") Duration relayPollInterval,
			@DefaultValue("5m") Duration overdueAfter, @DefaultValue("5s") Duration reapInterval,
			@DefaultValue("7d") Duration eventRetention, @DefaultValue("30s") Duration lease) {
	}

	/**
	 * Jobs that belong together.
	 *
	 * @param enabled Whether workflows can be started, and are worked on here, if there
	 * is a job store.
	 * @param pollInterval Longest time after which ends of jobs are looked for that
	 * nobody here has told of.
	 * @param maxDepth Number of levels of workflows in workflows above which one is
	 * refused, 1 to 10.
	 * @param maxJobs Number of jobs of one workflow, with all that is in it, above which
	 * it is refused, 1 to 10000.
	 */
	public record WorkflowsProperties(@DefaultValue("true") boolean enabled, @DefaultValue("1s") Duration pollInterval,
			@DefaultValue("5") int maxDepth, @DefaultValue("1000") int maxJobs) {
	}

	/**
	 * The databases whose tables are created.
	 */
	public enum SchemaInitialization {

		/** Those that live in this process. */
		EMBEDDED,

		/** All. */
		ALWAYS,

		/** None: Flyway, Liquibase or a person runs the scripts. */
		NEVER

	}

	/**
	 * The OJS HTTP API, below /ojs. It needs Spring MVC and a job store.
	 *
	 * @param enabled Whether the API is there.
	 * @param allowAnonymous Whether everybody may do everything, also without Spring
	 * Security.
	 * @param authorities Authorities that callers need.
	 * @param maxBodySize Size of a request above which it is refused.
	 * @param maxTotalBodySize Size of all bodies that are in memory at once, above which
	 * further ones are refused.
	 * @param requestsPerSecond Number of requests that this process answers in a second.
	 * 0 is any number. Requests that are refused, and those that everybody may send, have
	 * a number of the same size for themselves. Health and readiness are not counted.
	 * @param maxNewQueues Number of queues that do not exist yet to which one request may
	 * enqueue jobs.
	 * @param maxQueues Number of queues from which on no request may enqueue jobs to
	 * another one that does not exist yet.
	 * @param reservedRateLimits Keys of rate limits that jobs of callers may not name. *
	 * stands for any characters.
	 * @param includeStacktrace Whether answers to what went wrong here show where.
	 * @param rootEndpoints Whether health and readiness are at /health and /ready, too.
	 * @param resetEnabled Whether POST /ojs/v1/admin/reset deletes all that there is. For
	 * tests.
	 */
	public record HttpProperties(@DefaultValue("false") boolean enabled, @DefaultValue("false") boolean allowAnonymous,
			@DefaultValue AuthoritiesProperties authorities, @DefaultValue("10MB") DataSize maxBodySize,
			@DefaultValue("64MB") DataSize maxTotalBodySize, @DefaultValue("0") int requestsPerSecond,
			@DefaultValue("10") int maxNewQueues, @DefaultValue("1000") int maxQueues, @DefaultValue( {
					"queue:*", "tenant:*" }) List<String> reservedRateLimits,
			@DefaultValue("false") boolean includeStacktrace, @DefaultValue("false") boolean rootEndpoints,
			@DefaultValue("false") boolean resetEnabled){
	}

	/**
	 * Authorities of Spring Security. None of them includes another.
	 *
	 * @param read Authority to look at jobs, queues and events.
	 * @param write Authority to enqueue, cancel and work jobs.
	 * @param admin Authority to change queues, and many jobs at once.
	 * @param codec Authority to see arguments that are encrypted.
	 * @param allTenants Authority to see the jobs of all tenants, where jobs belong to
	 * tenants.
	 * @param tenantPrefix Beginning of the authority to work for a tenant; its id comes
	 * behind it.
	 */
	public record AuthoritiesProperties(@DefaultValue("SCOPE_ojs:read") String read,
			@DefaultValue("SCOPE_ojs:write") String write, @DefaultValue("SCOPE_ojs:admin") String admin,
			@DefaultValue("SCOPE_ojs:codec") String codec, @DefaultValue("SCOPE_ojs:all-tenants") String allTenants,
			@DefaultValue("OJS_TENANT_") String tenantPrefix) {
	}

	/**
	 * A queue. What is left out is taken from the layer below.
	 *
	 * @param type Type of the AMQP queue. Quorum by default.
	 * @param deliveryLimit Number of times the broker hands out a job that nobody settles
	 * before it is dead-lettered; quorum queues only. 20 by default.
	 * @param maxLength Number of waiting jobs above which the queue is full. Unlimited by
	 * default.
	 * @param maxLengthBytes Size of all waiting jobs above which the queue is full.
	 * Unlimited by default.
	 * @param overflow Fate of a job that meets a full queue. Reject publish by default;
	 * the others are for classic queues.
	 * @param messageTtl Time after which a waiting job goes to the dead letter queue.
	 * Unlimited by default.
	 * @param maxPriority Highest priority that the queue tells apart, up to 10; classic
	 * queues only. No priorities by default.
	 * @param singleActiveConsumer Whether the broker gives jobs to one consumer at a time
	 * of all that there are. False by default.
	 * @param arguments Further arguments of the AMQP queue, such as
	 * x-queue-leader-locator.
	 * @param concurrency Number of jobs at a time in this process. What the handlers say,
	 * or 5, by default.
	 * @param prefetch Number of jobs that each consumer holds in advance. 10 by default.
	 * @param timeout Time that an attempt may take. 30 minutes by default.
	 * @param retry What becomes of a job that fails.
	 * @param ordering Order in which jobs run: none, strict, or by key. None by default.
	 * @param orderingShards Number of shards of a queue that is ordered by key, 2 to 256.
	 * 8 by default.
	 * @param maxSize Number of jobs that have not ended above which the queue is full;
	 * exact, and needs a job store. Unlimited by default.
	 * @param maxSizeBytes Size of all jobs that have not ended above which the queue is
	 * full; exact, and needs a job store. Unlimited by default.
	 * @param overflowPolicy Fate of a job that meets a queue that is full by max-size or
	 * max-size-bytes. Reject by default.
	 * @param visibilityTimeout Time for which a worker has a job without a sign of life,
	 * 1s to 7d; needs a job store. As ojs.store.lease by default.
	 * @param retention Time for which jobs are kept that have ended; needs a job store.
	 * @param deadLetters What becomes of dead letters; needs a job store.
	 * @param allowedJobTypes Types of jobs that may be enqueued, in which * stands for
	 * any characters; needs a job store. All by default.
	 * @param producers Names of applications that may enqueue, in which * stands for any
	 * characters; needs a job store. All by default.
	 * @param delivery Way of its jobs from the job store to workers: broker; store, from
	 * which workers fetch them; or hand-over, for workers that are not this library's,
	 * which is said of single queues. Needs a job store. Broker by default.
	 */
	public record QueueProperties(@Nullable QueueKind type, @Nullable Integer deliveryLimit, @Nullable Long maxLength,
			@Nullable DataSize maxLengthBytes, @Nullable Overflow overflow, @Nullable Duration messageTtl,
			@Nullable Integer maxPriority, @Nullable Boolean singleActiveConsumer,
			@DefaultValue Map<String, Object> arguments, @Nullable Integer concurrency, @Nullable Integer prefetch,
			@Nullable Duration timeout, @DefaultValue RetryProperties retry, @Nullable Ordering ordering,
			@Nullable Integer orderingShards, @Nullable Long maxSize, @Nullable DataSize maxSizeBytes,
			@Nullable OverflowPolicy overflowPolicy, @Nullable Duration visibilityTimeout,
			@DefaultValue RetentionProperties retention, @DefaultValue DeadLetterProperties deadLetters,
			@Nullable List<String> allowedJobTypes, @Nullable List<String> producers, @Nullable Delivery delivery) {
	}

	/**
	 * Jobs that have ended.
	 *
	 * @param completed Time for which jobs are kept that succeeded. 7 days by default.
	 * @param discarded Time for which jobs are kept that failed for good. 30 days by
	 * default.
	 * @param cancelled Time for which jobs are kept that were cancelled. 7 days by
	 * default.
	 */
	public record RetentionProperties(@Nullable Duration completed, @Nullable Duration discarded,
			@Nullable Duration cancelled) {
	}

	/**
	 * Dead letters.
	 *
	 * @param queue Queue among whose dead letters they are kept. Their own by default.
	 * @param maxSize Number of dead letters that are kept; the oldest are deleted first.
	 * 0, the default, is any number.
	 * @param ttl Time for which dead letters are kept. 30 days by default.
	 */
	public record DeadLetterProperties(@Nullable String queue, @Nullable Long maxSize, @Nullable Duration ttl) {
	}

	/**
	 * What becomes of a job that fails.
	 *
	 * @param maxAttempts Number of executions in all. 3 by default.
	 * @param initialInterval Delay before the first retry. 1 second by default.
	 * @param backoffCoefficient Factor by which delays grow. 2.0 by default.
	 * @param maxInterval Longest delay. 5 minutes by default.
	 * @param jitter Whether delays are spread at random. True by default.
	 * @param nonRetryableErrors Types of errors that are not retried, exact or ending in
	 * .*
	 * @param onExhaustion Fate of a job that failed for good. Dead letter by default.
	 * @param backoffStrategy Way in which delays grow. Exponential by default.
	 */
	public record RetryProperties(@Nullable Integer maxAttempts, @Nullable Duration initialInterval,
			@Nullable Double backoffCoefficient, @Nullable Duration maxInterval, @Nullable Boolean jitter,
			@Nullable List<String> nonRetryableErrors, @Nullable OnExhaustion onExhaustion,
			@Nullable BackoffStrategy backoffStrategy) {
	}

}
