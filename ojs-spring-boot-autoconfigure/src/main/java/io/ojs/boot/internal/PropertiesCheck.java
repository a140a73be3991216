package io.ojs.boot.internal;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import io.ojs.boot.HttpProperties;
import io.ojs.boot.InvalidConfigurationException;
import io.ojs.boot.OjsProperties;
import io.ojs.boot.StoreProperties;
import io.ojs.boot.TenancyProperties;
import io.ojs.internal.figures.FigureStore;
import io.ojs.tenant.Tenants;
import io.ojs.tenant.internal.ThreadTenants;
import io.ojs.tenant.internal.limit.FairShares;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.util.unit.DataSize;

/**
 * Rejects invalid values of properties, beyond the checks of binding.
 */
public final class PropertiesCheck {

	private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:-]{0,60}");

	private static final Pattern LABEL = Pattern.compile("[^#=,\\s][^=,\\s]{0,99}");

	private static final int MOST_LABELS = 20;

	/** Since 4.0, RabbitMQ rejects messages above 16 MiB. */
	private static final DataSize LARGEST_ENVELOPE = DataSize.ofMegabytes(16);

	private static final DataSize SMALLEST_ENVELOPE = DataSize.ofKilobytes(1);

	/** A shorter secret can be guessed as easily as the arguments that it protects. */
	private static final int SHORTEST_SECRET = 16;

	/**
	 * On a busy machine, publishing a job and noting that it is published takes a second.
	 */
	private static final Duration SHORTEST_GRACE = Duration.ofSeconds(2);

	private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

	private static final int LARGEST_BATCH = 10_000;

	private static final int MOST_MEASURED_TENANTS = 100;

	private static final DataSize LARGEST_RECEIVED = DataSize.ofMegabytes(128);

	private PropertiesCheck() {
	}

	/**
	 * Checks everything but queues.
	 * @throws InvalidConfigurationException if a value is invalid
	 */
	public static void check(OjsProperties properties) {
		if (!PREFIX.matcher(properties.prefix()).matches()) {
			throw new InvalidConfigurationException("ojs.prefix", properties.prefix(),
					"must be at most 60 letters, digits and . _ : -",
					"Choose a prefix of these, such as the name of the tenant.");
		}
		if (properties.prefix().equals("amq") || properties.prefix().startsWith("amq.")) {
			throw new InvalidConfigurationException("ojs.prefix", properties.prefix(),
					"RabbitMQ keeps names that begin with amq. for itself", "Choose another prefix.");
		}
		DataSize size = properties.maxEnvelopeSize();
		if (size.compareTo(SMALLEST_ENVELOPE) < 0 || size.compareTo(LARGEST_ENVELOPE) > 0) {
			throw new InvalidConfigurationException("ojs.max-envelope-size", size, "must be between 1KB and 16MB",
					"Choose a size in that range; pass references to larger data.");
		}
		DataSize received = properties.receivedSize();
		if (received.compareTo(size) < 0 || received.compareTo(LARGEST_RECEIVED) > 0) {
			throw new InvalidConfigurationException("ojs.max-received-size", received,
					"must be between ojs.max-envelope-size (%s) and 128MB".formatted(size),
					"Choose a size in that range, or leave it out for twice ojs.max-envelope-size.");
		}
		check(properties.unique());
		check(properties.reconnect());
		positive("ojs.publisher.confirm-timeout", properties.publisher().confirmTimeout());
		positive("ojs.publisher.block-timeout", properties.publisher().blockTimeout());
		positive("ojs.worker.cancel-retention", properties.worker().cancelRetention());
		notNegative("ojs.worker.shutdown-grace", properties.worker().shutdownGrace());
	}

	/**
	 * Checks the properties of the job store.
	 * @throws InvalidConfigurationException if a value is invalid
	 */
	public static void check(StoreProperties store) {
		positive("ojs.store.relay-poll-interval", store.relayPollInterval());
		positive("ojs.store.overdue-after", store.overdueAfter());
		positive("ojs.store.reap-interval", store.reapInterval());
		if (store.relayGrace().compareTo(SHORTEST_GRACE) < 0) {
			throw new InvalidConfigurationException("ojs.store.relay-grace", store.relayGrace(),
					"must be at least " + SHORTEST_GRACE + ", or jobs are published twice",
					"Set it to some seconds, such as 10s.");
		}
		if (store.relayBatchSize() < 1 || store.relayBatchSize() > LARGEST_BATCH) {
			throw new InvalidConfigurationException("ojs.store.relay-batch-size", store.relayBatchSize(),
					"must be between 1 and " + LARGEST_BATCH, "Choose a number in that range, such as 500.");
		}
		notNegative("ojs.store.event-retention", store.eventRetention());
		notNegative("ojs.store.retain-minutes", store.retainMinutes());
		if (store.lease().compareTo(SHORTEST_LEASE) < 0) {
			throw new InvalidConfigurationException("ojs.store.lease", store.lease(),
					"must be at least " + SHORTEST_LEASE + ", or jobs are taken from workers that are only slow",
					"Set it to some seconds, such as 30s.");
		}
		checkLabels(store.labels());
	}

	private static void checkLabels(List<String> labels) {
		if (labels.size() > MOST_LABELS) {
			throw new InvalidConfigurationException("ojs.store.labels", labels,
					"must be at most %d keys of meta, but was %d".formatted(MOST_LABELS, labels.size()),
					"Name only those that people search jobs by.");
		}
		for (String label : labels) {
			if (!LABEL.matcher(label).matches()) {
				throw new InvalidConfigurationException("ojs.store.labels", label,
						"must be keys of meta of 1 to 100 characters, without '=', ',' and blanks, that do not begin with '#'",
						"Name keys such as customer or order.id.");
			}
		}
	}

	/**
	 * Checks what operators are told, and from where it comes.
	 * @throws InvalidConfigurationException if a value is invalid
	 */
	public static void check(HttpProperties http) {
		check(http.attention());
		URI management = http.managementUrl();
		if (management != null
				&& (management.getHost() == null || !Set.of("http", "https").contains(management.getScheme()))) {
			throw new InvalidConfigurationException("ojs.http.management-url",
					management.toString().replaceFirst("//.*@", "//"), "must be the URL of a management API",
					"Write it like http://rabbit:15672, or leave it out.");
		}
	}

	private static void check(HttpProperties.AttentionProperties attention) {
		positive("ojs.http.attention.oldest-available", attention.oldestAvailable());
		positive("ojs.http.attention.no-worker", attention.noWorker());
		positive("ojs.http.attention.outbox-lag", attention.outboxLag());
		positive("ojs.http.attention.dead-letters-within", attention.deadLettersWithin());
		if (attention.deadLetters() < 0 || attention.deadLetters() >= FigureStore.FRESH_BOUND) {
			throw new InvalidConfigurationException("ojs.http.attention.dead-letters", attention.deadLetters(),
					"must be between 0 and %d".formatted(FigureStore.FRESH_BOUND - 1),
					"Choose a number in that range, such as 10.");
		}
	}

	/**
	 * Checks the properties of tenants.
	 * @throws InvalidConfigurationException if a value is invalid
	 */
	public static void check(TenancyProperties tenancy) {
		if (tenancy.maxWindow() < FairShares.LEAST_MAX_WINDOW || tenancy.maxWindow() > FairShares.MOST_MAX_WINDOW) {
			throw new InvalidConfigurationException("ojs.tenancy.max-window", tenancy.maxWindow(),
					"must be between %d and %d".formatted(FairShares.LEAST_MAX_WINDOW, FairShares.MOST_MAX_WINDOW),
					"Choose a number in that range, such as 500, or leave it out.");
		}
		ConfiguredTenantLimits.check(tenancy);
		List<String> measured = tenancy.metrics().tenants();
		if (measured.size() > MOST_MEASURED_TENANTS) {
			throw new InvalidConfigurationException("ojs.tenancy.metrics.tenants", measured.size() + " tenants",
					"must be at most " + MOST_MEASURED_TENANTS + ": each makes meters for every queue",
					"Name those that matter most; the others are counted together.");
		}
		measured.stream().filter((id) -> !Tenants.isValid(id)).findFirst().ifPresent((id) -> {
			throw new InvalidConfigurationException("ojs.tenancy.metrics.tenants", id,
					"the id of a tenant " + ThreadTenants.RULE, "Write the id as jobs have it in meta.tenant_id.");
		});
	}

	public static void between(String key, int value, int most) {
		if (value < 1 || value > most) {
			throw new InvalidConfigurationException(key, value, "must be between 1 and " + most,
					"Choose a number in that range, or leave it out.");
		}
	}

	/**
	 * Checks the connection factory of jobs.
	 * @throws InvalidConfigurationException if it cannot be used for jobs
	 */
	public static ConnectionFactory check(ConnectionFactory connectionFactory) {
		if (connectionFactory instanceof CachingConnectionFactory caching
				&& caching.getCacheMode() == CachingConnectionFactory.CacheMode.CONNECTION) {
			throw new InvalidConfigurationException("spring.rabbitmq.cache.connection.mode", "connection",
					"it closes connections whose messages are not confirmed yet",
					"Set it to channel, or give jobs a connection factory of their own with @OjsConnectionFactory.");
		}
		return connectionFactory;
	}

	private static void check(OjsProperties.UniqueProperties unique) {
		String secret = unique.secret();
		if (secret != null && secret.strip().length() < SHORTEST_SECRET) {
			throw new InvalidConfigurationException("ojs.unique.secret", secret.strip().length() + " characters",
					"must have at least 16 characters", "Use a random one, or leave it out to have plain hashes.");
		}
	}

	private static void check(OjsProperties.ReconnectProperties reconnect) {
		positive("ojs.reconnect.initial-interval", reconnect.initialInterval());
		if (reconnect.maxInterval().compareTo(reconnect.initialInterval()) < 0) {
			throw new InvalidConfigurationException("ojs.reconnect.max-interval", reconnect.maxInterval(),
					"must not be shorter than ojs.reconnect.initial-interval, " + reconnect.initialInterval(),
					"Make it longer, or the other one shorter.");
		}
		if (!(reconnect.jitter() >= 0 && reconnect.jitter() < 1)) {
			throw new InvalidConfigurationException("ojs.reconnect.jitter", reconnect.jitter(),
					"must be at least 0.0 and less than 1.0", "Set it to a part, such as 0.25.");
		}
	}

	public static void positive(String key, Duration value) {
		if (value.isZero() || value.isNegative()) {
			throw new InvalidConfigurationException(key, value, "must be longer than zero",
					"Set it to some seconds, such as 5s.");
		}
	}

	public static void notNegative(String key, Duration value) {
		if (value.isNegative()) {
			throw new InvalidConfigurationException(key, value, "must not be negative", "Set it to 0s or more.");
		}
	}

}
