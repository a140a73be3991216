package io.ojs.web.internal.worker;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import io.ojs.internal.fetch.FetchStore;
import io.ojs.internal.worker.KnownWorker;
import io.ojs.internal.worker.RemoteStores;
import io.ojs.internal.worker.RemoteWorkers;
import io.ojs.internal.worker.WorkerAdvice;
import io.ojs.internal.worker.WorkerState;
import io.ojs.internal.worker.WorkerStore;
import io.ojs.store.internal.relay.HandOver;
import io.ojs.web.TenantAccess;
import io.ojs.web.internal.Doubles;
import io.ojs.web.internal.HttpRequests;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a heartbeat records about its worker.
 */
class HeartbeatEndpointsTests {

	private static final String HEARTBEAT = "/ojs/v1/workers/heartbeat";

	private final Map<String, KnownWorker> known = new TreeMap<>();

	private final WorkerStore workers = Doubles.of(WorkerStore.class, (method, arguments) -> {
		if (method.equals("find")) {
			return Optional.ofNullable(this.known.get((String) arguments[0]));
		}
		KnownWorker seen = (KnownWorker) arguments[0];
		return this.known.put(seen.id(), seen);
	});

	private final FetchStore fetches = Doubles.of(FetchStore.class,
			(method, arguments) -> method.equals("extend") ? Set.of() : List.of());

	private final HttpRequests requests = HttpRequests
		.forTenants(new HeartbeatEndpoints(new RemoteWorkers(new RemoteStores(this.fetches, null, this.workers, null),
				null, null, new HandOver(Set.of()), null, WorkerAdvice.NONE, null, HttpRequests.CLOCK)));

	@Test
	void workerIdIsRequired() {
		assertThat(field(this.requests.post(HEARTBEAT, "{}"))).isEqualTo("worker_id");
		assertThat(field(this.requests.post(HEARTBEAT, "{\"worker_id\":7}"))).isEqualTo("worker_id");
		assertThat(this.known).isEmpty();
		assertThat(this.requests.post(HEARTBEAT, "{\"worker_id\":\"w1\"}").getStatus()).isEqualTo(200);
		assertThat(this.known).containsOnlyKeys("w1");
	}

	@ParameterizedTest
	@CsvSource({ "running, false, RUNNING, ok, running", "quiet, false, QUIET, degraded, draining",
			"terminate, false, TERMINATE, degraded, shutting_down",
			"running, true, TERMINATE, degraded, shutting_down" })
	void stateIsRecordedAndShownAsHealth(String said, boolean shutdown, WorkerState state, String status, String word) {
		this.requests.post(HEARTBEAT,
				"{\"worker_id\":\"w1\",\"state\":\"%s\",\"shutdown\":%s}".formatted(said, shutdown));
		assertThat(worker("w1").state()).isEqualTo(state);
		assertThat(HttpRequests.body(this.requests.get("/ojs/v1/workers/w1/health", Map.of())))
			.containsEntry("status", status)
			.containsEntry("state", word);
	}

	@Test
	void unknownStateIsRefused() {
		assertThat(field(this.requests.post(HEARTBEAT, "{\"worker_id\":\"w1\",\"state\":\"asleep\"}")))
			.isEqualTo("state");
		assertThat(this.known).isEmpty();
	}

	/** Two OJS documents use the field for two things. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			"active_jobs":3                                          | 3
			"active_jobs":["a","b"]                                  | 2
			"active_job_ids":["a"]                                   | 1
			"active_job_ids":["a"],"active_jobs":3                   | 3
			"active_job_ids":["a"],"active_jobs":["a","b"]           | 1
			"state":"running"                                        | 0
			""")
	void activeJobsAreANumberOrIds(String fields, int active) {
		assertThat(this.requests.post(HEARTBEAT, "{\"worker_id\":\"w1\",%s}".formatted(fields)).getStatus())
			.isEqualTo(200);
		assertThat(worker("w1").activeJobs()).isEqualTo(active);
	}

	@Test
	void jobsWithoutALeaseAreReportedLost() {
		assertThat(HttpRequests
			.body(this.requests.post(HEARTBEAT, "{\"worker_id\":\"w1\",\"active_job_ids\":[\"a\",\"b\"]}")))
			.containsEntry("jobs_extended", List.of())
			.containsEntry("jobs_lost", List.of("a", "b"));
	}

	/** They are stored, and shown to every operator. */
	@Test
	void detailsAreLimitedAndUnknownOnesDropped() {
		String fits = "x".repeat(4096 - "{\"hostname\":\"\"}".length());
		assertThat(field(this.requests.post(HEARTBEAT, "{\"worker_id\":\"w1\",\"hostname\":\"%sx\"}".formatted(fits))))
			.isEqualTo("hostname");
		assertThat(this.known).isEmpty();
		this.requests.post(HEARTBEAT,
				"{\"worker_id\":\"w1\",\"hostname\":\"%s\",\"pid\":7,\"secret\":\"s\"}".formatted(fits));
		assertThat(worker("w1").details()).isEqualTo(Map.of("hostname", fits, "pid", 7));
	}

	@Test
	void workersOfTwoTenantsMayShareAName() {
		for (String tenant : List.of("acme", "other")) {
			this.requests.send("POST", HEARTBEAT,
					"{\"worker_id\":\"w1\",\"active_jobs\":%d}".formatted(tenant.length()),
					Map.of(TenantAccess.HEADER, tenant, "Content-Type", HttpRequests.JSON));
		}
		assertThat(this.known).containsOnlyKeys("acme~w1", "other~w1");
		assertThat(HttpRequests.body(health("acme", "w1"))).containsEntry("worker_id", "w1")
			.containsEntry("active_jobs", 4);
		assertThat(health("third", "w1").getStatus()).isEqualTo(404);
		assertThat(health("acme", "other%2Fw1").getStatus()).isEqualTo(404);
		assertThat(this.requests.get("/ojs/v1/workers/w1/health", Map.of()).getStatus()).isEqualTo(404);
	}

	private MockHttpServletResponse health(String tenant, String worker) {
		return this.requests.send("GET", "/ojs/v1/workers/" + worker + "/health", null,
				Map.of(TenantAccess.HEADER, tenant));
	}

	private KnownWorker worker(String id) {
		return Objects.requireNonNull(this.known.get(id));
	}

	private static @Nullable Object field(MockHttpServletResponse response) {
		assertThat(response.getStatus()).isEqualTo(400);
		return HttpRequests.details(response).get("field");
	}

}
