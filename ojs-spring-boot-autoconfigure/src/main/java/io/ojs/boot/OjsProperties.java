package io.ojs.boot;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.ojs.amqp.DeadLettering;
import io.ojs.amqp.Declaration;
import io.ojs.amqp.DelayStrategy;
import io.ojs.amqp.Ordering;
import io.ojs.amqp.Overflow;
import io.ojs.amqp.QueueKind;
import io.ojs.amqp.internal.connect.ReconnectBackoff;
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
 * Properties of background jobs. An unknown key below ojs stops the application, so that
 * a misspelt key is not ignored.
 *
 * @param enabled Whether the library is active. If not, the application neither enqueues
 * nor works jobs.
 * @param naming Names of exchanges and queues on the broker: binding, such as
 * ojs.exchange.direct; or guide, such as ojs.direct.
 * @param prefix Prefix of the name of every exchange and queue, which separates
 * applications that share a broker; at most 60 letters, digits and . _ : -.
 * @param maxEnvelopeSize Largest size of an encoded job that is enqueued, 1KB to 16MB. A
 * larger job is rejected.
 * @param maxReceivedSize Largest size of a message that a worker reads, up to 128MB. A
 * larger message becomes a dead letter. Twice ojs.max-envelope-size by default, because
 * jobs of workflows carry results.
 * @param topology Declaration of exchanges and queues.
 * @param reconnect Reconnection after a connection is lost.
 * @param publisher Enqueueing.
 * @param worker Worker of this application.
 * @param delay Delays of scheduled jobs and retries.
 * @param contracts Descriptions of the queues.
 * @param unique Unique jobs.
 * @param strictQueues Whether jobs are rejected for a queue that has no handler and no
 * properties and was never created or configured; needs a job store.
 * @param producer Name of this application as a producer, for queues that take jobs of
 * some producers only. Value of spring.application.name by default.
 * @param store Job store in a database.
 * @param http OJS HTTP API.
 * @param tenancy Tenants that jobs belong to.
 * @param encryption Encryption of the arguments of jobs, which then only an application
 * with the key can read.
 * @param cron Crons: jobs that are enqueued repeatedly, by a schedule.
 * @param workflows Workflows of jobs; needs a job store.
 * @param webhooks Webhooks: events that are posted to subscribed URLs.
 * @param queueDefaults Properties of every queue, unless the queue has its own.
 * @param queues Properties of single queues, by their names. A name with dots is written
 * in brackets.
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

	/**
	 * Returns the size above which a received message is rejected.
	 * @return {@code max-received-size}, or twice {@code max-envelope-size} if it is not
	 * set
	 */
	public DataSize receivedSize() {
		return (this.maxReceivedSize != null) ? this.maxReceivedSize
				: DataSize.ofBytes(2 * this.maxEnvelopeSize.toBytes());
	}

	/**
	 * The names of exchanges and queues.
	 */
	public enum Naming {

		/** The names of the AMQP binding, such as {@code ojs.exchange.direct}. */
		BINDING,

		/** The names of the AMQP guide, such as {@code ojs.direct}. */
		GUIDE

	}

	/**
	 * Declaration of exchanges and queues.
	 *
	 * @param declaration Time at which the application declares exchanges and queues:
	 * eager, when it starts; lazy, on first use; or none, if they are declared elsewhere.
	 */
	public record TopologyProperties(@DefaultValue("eager") Declaration declaration) {
	}

	/**
	 * Reconnection after a connection is lost.
	 *
	 * @param initialInterval Pause before the first attempt to reconnect. It doubles with
	 * each further attempt.
	 * @param maxInterval Longest pause between attempts to reconnect.
	 * @param jitter Part of a pause by which it varies at random, in both directions; at
	 * least 0.0 and less than 1.0.
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
	 * @param confirmTimeout Longest time that enqueueing waits for the broker to confirm
	 * a job, and for a connection if there is none.
	 * @param blockTimeout Longest time that enqueueing waits for room in a full queue
	 * whose overflow-policy is block; needs a job store.
	 */
	public record PublisherProperties(@DefaultValue("5s") Duration confirmTimeout,
			@DefaultValue("5s") Duration blockTimeout) {
	}

	/**
	 * Worker of this application.
	 *
	 * @param enabled Whether this application works the queues of its handlers. It can
	 * enqueue jobs in either case.
	 * @param shutdownGrace Time that running jobs have to end when the application stops.
	 * Keep it below spring.lifecycle.timeout-per-shutdown-phase.
	 * @param deadLetters Way of jobs that failed for good to the dead letter queue:
	 * publish, by the worker and with the error; or nack, by the broker and without the
	 * error.
	 * @param cancelRetention Time for which workers remember a cancelled job that still
	 * waits, to drop it when it arrives.
	 * @param replyQueues Queues to which workers send answers about jobs, besides queues
	 * that the broker has named. A * stands for any characters.
	 */
	public record WorkerProperties(@DefaultValue("true") boolean enabled, @DefaultValue("25s") Duration shutdownGrace,
			@DefaultValue("publish") DeadLettering deadLetters, @DefaultValue("7d") Duration cancelRetention,
			@DefaultValue List<String> replyQueues) {
	}

	/**
	 * Delays of scheduled jobs and retries.
	 *
	 * @param strategy Place where scheduled jobs and retries wait: levels, in queues; or
	 * plugin, in an exchange of the plugin rabbitmq_delayed_message_exchange.
	 */
	public record DelayProperties(@DefaultValue("levels") DelayStrategy strategy) {
	}

	/**
	 * Descriptions of the queues.
	 *
	 * @param directory Directory for the descriptions, one file for each queue. If it is
	 * set, the application writes these files and ends, without connecting to a broker.
	 */
	public record ContractsProperties(@Nullable Path directory) {
	}

	/**
	 * Unique jobs.
	 *
	 * @param secret Secret for the keys of unique jobs, so that a key does not reveal
	 * arguments that can be guessed; at least 16 characters, and the same in all
	 * applications that share a job store. Plain hashes by default.
	 */
	public record UniqueProperties(@Nullable String secret) {

		@Override
		public String toString() {
			return "UniqueProperties[secret=" + ((this.secret != null) ? "******" : "null") + "]";
		}

	}

	/**
	 * Job store in a database.
	 *
	 * @param enabled Whether jobs are kept in the database of the application's
	 * DataSource, if it has one.
	 * @param initializeSchema Databases whose tables the application migrates when it
	 * starts: embedded, only embedded ones; always, all; or never, none.
	 * @param relayGrace Time for which the relay leaves a new job to the thread that
	 * publishes it right after the commit; at least 2s.
	 * @param relayBatchSize Number of jobs that the relay takes at once, 1 to 10000.
	 * @param relayPollInterval Longest time until the relay looks again for jobs that are
	 * due or not published yet.
	 * @param overdueAfter Time after which a published job that no worker has begun is
	 * overdue. If the broker has fewer messages than there are overdue jobs, the missing
	 * ones are published again.
	 * @param reapInterval Interval between two searches for running jobs whose worker is
	 * gone.
	 * @param eventRetention Time for which events are kept. With 0 there is no event
	 * feed.
	 * @param lease Time without a sign of life after which a worker loses its job, unless
	 * the queue has a visibility-timeout; at least 1s.
	 */
	public record StoreProperties(@DefaultValue("true") boolean enabled,
			@DefaultValue("embedded") SchemaInitialization initializeSchema, @DefaultValue("10s") Duration relayGrace,
			@DefaultValue("500") int relayBatchSize, @DefaultValue("1s") Duration relayPollInterval,
			@DefaultValue("5m") Duration overdueAfter, @DefaultValue("5s") Duration reapInterval,
			@DefaultValue("7d") Duration eventRetention, @DefaultValue("30s") Duration lease) {
	}

	/**
	 * Workflows of jobs.
	 *
	 * @param enabled Whether this application starts workflows and works on them, if
	 * there is a job store.
	 * @param pollInterval Longest time until this application notices the end of a job of
	 * which it was not notified.
	 * @param maxDepth Largest number of levels of nested workflows, 1 to 10. A deeper
	 * workflow is rejected.
	 * @param maxJobs Largest number of jobs of a workflow, those of nested workflows
	 * included, 1 to 10000. A larger workflow is rejected.
	 */
	public record WorkflowsProperties(@DefaultValue("true") boolean enabled, @DefaultValue("1s") Duration pollInterval,
			@DefaultValue("5") int maxDepth, @DefaultValue("1000") int maxJobs) {
	}

	/**
	 * The databases whose tables the application migrates.
	 */
	public enum SchemaInitialization {

		/** Embedded databases, which run in this process. */
		EMBEDDED,

		/** All databases. */
		ALWAYS,

		/** No database: Flyway, Liquibase or an operator runs the scripts. */
		NEVER

	}

	/**
	 * OJS HTTP API, below /ojs.
	 *
	 * @param enabled Whether the application serves the API; needs Spring MVC and a job
	 * store.
	 * @param allowAnonymous Whether every caller may read, write and administer jobs
	 * without authorities, also without Spring Security.
	 * @param authorities Authorities that callers need.
	 * @param maxBodySize Largest size of the body of a request, up to 256MB. A larger
	 * body is rejected.
	 * @param maxTotalBodySize Largest total size of all bodies that are in memory at the
	 * same time. Further bodies are rejected.
	 * @param requestsPerSecond Number of requests that this process answers in a second;
	 * 0 for any number. Requests that are rejected or need no authority have a second
	 * limit of the same size. Health and readiness are not counted.
	 * @param maxNewQueues Largest number of queues that do not exist yet to which one
	 * request may enqueue jobs.
	 * @param maxQueues Number of existing queues from which on no request may enqueue
	 * jobs to a queue that does not exist yet.
	 * @param reservedRateLimits Keys of rate limits that jobs from the API may not name.
	 * A * stands for any characters.
	 * @param includeStacktrace Whether answers to errors of the server, 500 and 503,
	 * contain the stack trace.
	 * @param rootEndpoints Whether the application also serves health and readiness at
	 * /health and /ready.
	 * @param resetEnabled Whether POST /ojs/v1/admin/reset exists, which deletes all
	 * jobs. For tests.
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
	 * @param read Authority to read jobs, queues and events.
	 * @param write Authority to enqueue, cancel and work jobs.
	 * @param admin Authority to change queues, and many jobs at once.
	 * @param codec Authority to see arguments that are encrypted.
	 * @param allTenants Authority to see the jobs of all tenants and to work for any of
	 * them, if jobs belong to tenants.
	 * @param tenantPrefix Prefix of the authority to work for one tenant, which is
	 * followed by the id of the tenant.
	 */
	public record AuthoritiesProperties(@DefaultValue("SCOPE_ojs:read") String read,
			@DefaultValue("SCOPE_ojs:write") String write, @DefaultValue("SCOPE_ojs:admin") String admin,
			@DefaultValue("SCOPE_ojs:codec") String codec, @DefaultValue("SCOPE_ojs:all-tenants") String allTenants,
			@DefaultValue("OJS_TENANT_") String tenantPrefix) {
	}

	/**
	 * Properties of a queue. A value that is left out is that of the layer below.
	 *
	 * @param type Type of the AMQP queue: quorum or classic. Quorum by default.
	 * @param deliveryLimit Number of times that the broker delivers a job that no
	 * consumer settles, before it dead-letters the job; quorum queues only. 20 by
	 * default.
	 * @param maxLength Number of waiting jobs at the broker above which the queue is
	 * full. Unlimited by default.
	 * @param maxLengthBytes Total size of the waiting jobs at the broker above which the
	 * queue is full. Unlimited by default.
	 * @param overflow Handling of jobs when the queue is full at the broker:
	 * reject-publish, drop-head or reject-publish-dlx; the last two for classic queues
	 * only. Reject-publish by default.
	 * @param messageTtl Time after which the broker moves a waiting job to the dead
	 * letter queue, 1ms to 3650d. Unlimited by default.
	 * @param maxPriority Highest priority that the queue distinguishes, 1 to 10; classic
	 * queues only. No priorities by default.
	 * @param singleActiveConsumer Whether the broker delivers jobs to only one of all
	 * consumers at a time. False by default.
	 * @param arguments Further arguments of the AMQP queue, such as
	 * x-queue-leader-locator.
	 * @param concurrency Number of jobs of the queue that this process runs at a time.
	 * The largest number that its handlers name by default, or 5.
	 * @param prefetch Number of jobs that each consumer holds, the running one included;
	 * up to 2000. 10 by default.
	 * @param timeout Longest time that an attempt may take. 30 minutes by default.
	 * @param retry Retries of failed jobs.
	 * @param ordering Order in which jobs run: none; strict, one job at a time; or key,
	 * one job at a time of those with the same key. None by default.
	 * @param orderingShards Number of shards of a queue that is ordered by key, 2 to 256.
	 * 8 by default.
	 * @param maxSize Largest number of jobs of the queue that have not ended; exact, and
	 * needs a job store. Unlimited by default.
	 * @param maxSizeBytes Largest total size of the jobs of the queue that have not
	 * ended; exact, and needs a job store. Unlimited by default.
	 * @param overflowPolicy Handling of a new job that exceeds max-size or
	 * max-size-bytes: reject, drop-oldest (discard the oldest waiting jobs) or block
	 * (wait for room). Needs a job store. Reject by default.
	 * @param visibilityTimeout Time without a sign of life after which a worker loses its
	 * job, 1s to 7d; needs a job store. Value of ojs.store.lease by default.
	 * @param retention Retention of jobs that have ended; needs a job store.
	 * @param deadLetters Place and retention of dead letters; needs a job store.
	 * @param allowedJobTypes Types of jobs that may be enqueued. A * stands for any
	 * characters; needs a job store. All by default.
	 * @param producers Names of producers that may enqueue jobs. A * stands for any
	 * characters; needs a job store. All by default.
	 * @param delivery Way of jobs from the job store to workers: broker, as messages;
	 * store, by workers that fetch them; or hand-over, to workers outside this library
	 * and for single queues only. Needs a job store. Broker by default.
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
	 * Retention of jobs that have ended.
	 *
	 * @param completed Time for which completed jobs are kept. 7 days by default.
	 * @param discarded Time for which discarded jobs, which failed for good, are kept. 30
	 * days by default.
	 * @param cancelled Time for which cancelled jobs are kept. 7 days by default.
	 */
	public record RetentionProperties(@Nullable Duration completed, @Nullable Duration discarded,
			@Nullable Duration cancelled) {
	}

	/**
	 * Place and retention of dead letters.
	 *
	 * @param queue Queue that keeps the dead letters of this queue. The queue itself by
	 * default.
	 * @param maxSize Largest number of dead letters that are kept; the oldest are deleted
	 * first. 0, the default, for any number.
	 * @param ttl Time for which dead letters are kept. 30 days by default.
	 */
	public record DeadLetterProperties(@Nullable String queue, @Nullable Long maxSize, @Nullable Duration ttl) {
	}

	/**
	 * Retries of failed jobs.
	 *
	 * @param maxAttempts Number of attempts in all, the first one included. 3 by default.
	 * @param initialInterval Delay before the first retry. 1 second by default.
	 * @param backoffCoefficient Factor by which delays grow, at least 1.0; the exponent
	 * of the polynomial strategy. 2.0 by default.
	 * @param maxInterval Longest delay before a retry. 5 minutes by default.
	 * @param jitter Whether delays vary at random. True by default.
	 * @param nonRetryableErrors Types of errors that are not retried: exact, or a prefix
	 * with .* at its end, such as payment.* for all types below it.
	 * @param onExhaustion Handling of a job that failed for good: dead-letter or discard.
	 * Dead-letter by default.
	 * @param backoffStrategy Way in which delays grow: constant, linear, exponential or
	 * polynomial. Exponential by default.
	 */
	public record RetryProperties(@Nullable Integer maxAttempts, @Nullable Duration initialInterval,
			@Nullable Double backoffCoefficient, @Nullable Duration maxInterval, @Nullable Boolean jitter,
			@Nullable List<String> nonRetryableErrors, @Nullable OnExhaustion onExhaustion,
			@Nullable BackoffStrategy backoffStrategy) {
	}

}
