package io.ojs.boot;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.ojs.amqp.DeadLettering;
import io.ojs.amqp.Declaration;
import io.ojs.amqp.DelayStrategy;
import io.ojs.amqp.internal.connect.ReconnectBackoff;
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
 * @param dashboard Dashboard on the OJS HTTP API.
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
		@DefaultValue("false") boolean strictQueues, @Nullable String producer,
		@DefaultValue @NestedConfigurationProperty StoreProperties store,
		@DefaultValue @NestedConfigurationProperty HttpProperties http,
		@DefaultValue @NestedConfigurationProperty DashboardProperties dashboard,
		@DefaultValue @NestedConfigurationProperty TenancyProperties tenancy,
		@DefaultValue @NestedConfigurationProperty EncryptionProperties encryption,
		@DefaultValue @NestedConfigurationProperty CronProperties cron,
		@DefaultValue @NestedConfigurationProperty WorkflowsProperties workflows,
		@DefaultValue @NestedConfigurationProperty WebhooksProperties webhooks,
		@DefaultValue @NestedConfigurationProperty QueueProperties queueDefaults,
		@DefaultValue Map<String, QueueProperties> queues) {

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

}
