package io.ojs.web.internal.endpoint;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

import io.ojs.job.internal.JobRules;
import io.ojs.store.StoreException;
import io.ojs.store.internal.JobStore;
import io.ojs.web.Access;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.Routes;

/**
 * The server itself: its manifest and its health (OJS HTTP Binding §8, §21).
 */
public final class SystemEndpoints implements Endpoints {

	/**
	 * The resource with the conformance level that this version has reached. The script
	 * {@code src/scripts/conformance} writes it.
	 */
	private static final String PASSED = "/io/ojs/web/conformance-level";

	/** An id that no job has. */
	private static final String NO_JOB = "00000000-0000-7000-8000-000000000000";

	private final Backend backend;

	private final boolean atRoot;

	private final boolean crons;

	private final boolean workflows;

	private final Clock clock;

	private final Instant startedAt;

	private final int passed = passed();

	/**
	 * Creates the endpoints.
	 * @param backend what keeps the jobs
	 * @param atRoot whether to answer {@code /health} and {@code /ready}, too
	 * @param crons whether there are crons, for the manifest
	 * @param workflows whether there are workflows, for the manifest
	 */
	public SystemEndpoints(Backend backend, boolean atRoot, boolean crons, boolean workflows, Clock clock) {
		this.backend = backend;
		this.atRoot = atRoot;
		this.crons = crons;
		this.workflows = workflows;
		this.clock = clock;
		this.startedAt = clock.instant();
	}

	@Override
	public void addTo(Routes routes) {
		routes.get("/manifest", Access.PUBLIC, this::manifest);
		Routes health = routes.uncounted().get("/v1/health", Access.PUBLIC, this::health);
		if (this.atRoot) {
			health.getAtRoot("/health", Access.PUBLIC, this::health).getAtRoot("/ready", Access.PUBLIC, this::health);
		}
	}

	private HttpResult manifest(HttpCall call) {
		Map<String, Object> implementation = new LinkedHashMap<>();
		implementation.put("name", "ojs-spring-boot");
		implementation.put("language", "java");
		implementation.put("version", version());
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("specversion", JobRules.SPEC_VERSION);
		body.put("implementation", implementation);
		body.put("conformance_level", level());
		boolean stored = this.backend.stored();
		body.put("protocols", stored ? List.of("http", "amqp") : List.of("amqp"));
		body.put("backend", this.backend.type());
		body.put("capabilities",
				Map.of("batch_enqueue", stored, "unique_jobs", stored, "priority_queues", true, "delayed_jobs", true,
						"job_ttl", true, "dead_letter", true, "rate_limiting", stored, "cron", this.crons, "workflows",
						this.workflows));
		return HttpResult.ok(body);
	}

	/** Returns the version of this library. */
	static String version() {
		String version = SystemEndpoints.class.getPackage().getImplementationVersion();
		return (version != null) ? version : "0.1.0-SNAPSHOT";
	}

	/**
	 * Returns the conformance level. Levels above 0 need jobs over HTTP, level 2 crons
	 * and level 3 workflows, which not every application has.
	 */
	private int level() {
		if (!this.backend.stored()) {
			return 0;
		}
		if (!this.crons) {
			return Math.min(this.passed, 1);
		}
		return this.workflows ? this.passed : Math.min(this.passed, 2);
	}

	private static int passed() {
		try (InputStream resource = SystemEndpoints.class.getResourceAsStream(PASSED)) {
			if (resource == null) {
				throw new IllegalStateException("There is no %s on the class path.".formatted(PASSED));
			}
			return Integer.parseInt(new String(resource.readAllBytes(), StandardCharsets.UTF_8).strip());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private HttpResult health(HttpCall call) {
		Instant before = this.clock.instant();
		Map<String, Object> backend = new LinkedHashMap<>();
		backend.put("type", this.backend.type());
		boolean healthy = this.backend.reachable().getAsBoolean();
		backend.put("status", healthy ? "ok" : "unhealthy");
		backend.put("latency_ms", Math.max(0, Duration.between(before, this.clock.instant()).toMillis()));
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("status", healthy ? "ok" : "degraded");
		body.put("version", JobRules.SPEC_VERSION);
		body.put("uptime_seconds", Math.max(0, Duration.between(this.startedAt, before).toSeconds()));
		body.put("backend", backend);
		return new HttpResult(healthy ? 200 : 503, Map.of(), body);
	}

	/**
	 * What keeps the jobs.
	 *
	 * @param type its kind, for the manifest
	 * @param stored whether it is a job store
	 * @param reachable whether it answers now
	 */
	public record Backend(String type, boolean stored, BooleanSupplier reachable) {

		/** A job store. */
		public static Backend of(JobStore store) {
			return new Backend("sql", true, () -> isReachable(store));
		}

		/**
		 * The broker alone.
		 * @param reachable whether it answers now; any caller may ask, so it must not ask
		 * the broker each time
		 */
		public static Backend ofBroker(BooleanSupplier reachable) {
			return new Backend("amqp", false, reachable);
		}

		private static boolean isReachable(JobStore store) {
			try {
				// Any caller may ask, so this reads no row: a job may be large.
				store.find(NO_JOB);
				return true;
			}
			catch (StoreException ex) {
				return false;
			}
		}

	}

}
