package io.ojs.boot;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * OJS HTTP API, below /ojs.
 *
 * @param enabled Whether the application serves the API; needs Spring MVC. Most endpoints
 * need a job store.
 * @param allowAnonymous Whether every caller may read, write and administer jobs without
 * authorities, also without Spring Security.
 * @param anonymousRights Rights that every caller has without authorities: read, write,
 * admin. With read alone, everybody who reaches the application may look.
 * @param authorities Authorities that callers need.
 * @param maxBodySize Largest size of the body of a request, up to 256MB. A larger body is
 * rejected.
 * @param maxTotalBodySize Largest total size of all bodies that are in memory at the same
 * time. Further bodies are rejected.
 * @param requestsPerSecond Number of requests that this process answers in a second; 0
 * for any number. Requests that are rejected or need no authority have a second limit of
 * the same size. Health and readiness are not counted.
 * @param maxStreams Number of streams of changes that callers may have open at this
 * process at the same time. Further ones are rejected.
 * @param maxNewQueues Largest number of queues that do not exist yet to which one request
 * may enqueue jobs.
 * @param maxQueues Number of existing queues from which on no request may enqueue jobs to
 * a queue that does not exist yet.
 * @param reservedRateLimits Keys of rate limits that jobs from the API may not name. A *
 * stands for any characters.
 * @param includeStacktrace Whether answers to errors of the server, 500 and 503, contain
 * the stack trace.
 * @param rootEndpoints Whether the application also serves health and readiness at
 * /health and /ready.
 * @param attention Times and numbers from which on operators are told of jobs that wait
 * or fail.
 * @param managementUrl URL of the management API of RabbitMQ, such as
 * http://rabbit:15672, which tells how many messages are unacked. May contain user and
 * password; otherwise they are those of the connection.
 */
public record HttpProperties(@DefaultValue("false") boolean enabled, @DefaultValue("false") boolean allowAnonymous,
		@DefaultValue Set<AnonymousRight> anonymousRights, @DefaultValue AuthoritiesProperties authorities,
		@DefaultValue("10MB") DataSize maxBodySize, @DefaultValue("64MB") DataSize maxTotalBodySize,
		@DefaultValue("0") int requestsPerSecond, @DefaultValue("100") int maxStreams,
		@DefaultValue("10") int maxNewQueues, @DefaultValue("1000") int maxQueues, @DefaultValue( {
				"queue:*", "tenant:*" }) List<String> reservedRateLimits,
		@DefaultValue("false") boolean includeStacktrace, @DefaultValue("false") boolean rootEndpoints,
		@DefaultValue AttentionProperties attention, @Nullable URI managementUrl){

	/**
	 * A right that callers can have without authorities.
	 */
	public enum AnonymousRight {

		/** The right to read. */
		READ,

		/** The right to enqueue, cancel and work jobs. */
		WRITE,

		/** The right to change queues, and many jobs at once. */
		ADMIN

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
	 * Times and numbers from which on operators are told of jobs that wait or fail.
	 *
	 * @param oldestAvailable Time that a job may wait for a worker, or for a limit.
	 * @param noWorker Time that a job may wait in a queue that no process takes.
	 * @param outboxLag Time that a job may be due without being published.
	 * @param deadLetters Number of new dead letters that a queue may have.
	 * @param deadLettersWithin Time for which a dead letter is new.
	 */
	public record AttentionProperties(@DefaultValue("5m") Duration oldestAvailable,
			@DefaultValue("1m") Duration noWorker, @DefaultValue("1m") Duration outboxLag,
			@DefaultValue("0") long deadLetters, @DefaultValue("24h") Duration deadLettersWithin) {
	}

}
