package io.ojs.web.internal.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.ojs.internal.fetch.FetchStore;
import io.ojs.internal.fetch.LeasedRun;
import io.ojs.internal.worker.RemoteStores;
import io.ojs.internal.worker.RemoteWorkers;
import io.ojs.internal.worker.WorkerAdvice;
import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.relay.HandOver;
import io.ojs.web.TenantAccess;
import io.ojs.web.internal.Doubles;
import io.ojs.web.internal.HttpRequests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which worker may ack, nack or report on a job.
 */
class WorkerEndpointsTests {

	private static final String NACK = "/ojs/v1/jobs/" + Doubles.JOB_ID + "/nack";

	private final StoredJob job = Doubles.job(JobState.ACTIVE, "acme");

	private final List<Outcome> outcomes = new ArrayList<>();

	private final FetchStore fetches = Doubles.of(FetchStore.class,
			(method, arguments) -> this.job.job().id().equals(arguments[0])
					? Optional.of(new LeasedRun(this.job, new Lease(this.job.job().id(), 1), "w1", true))
					: Optional.empty());

	private final AttemptStore attempts = Doubles.of(AttemptStore.class,
			(method, arguments) -> this.outcomes.add((Outcome) arguments[0]));

	private final RemoteWorkers workers = new RemoteWorkers(new RemoteStores(this.fetches, this.attempts, null, null),
			null, null, new HandOver(Set.of()), null, WorkerAdvice.NONE, null, HttpRequests.CLOCK);

	private final HttpRequests requests = requests(false);

	private HttpRequests requests(boolean named) {
		JobStore store = Doubles.store(this.job);
		return HttpRequests.forTenants(new WorkerEndpoints(this.workers, store, named));
	}

	@Test
	void holderOfTheLeaseSettlesTheJob() {
		assertThat(requests(true).post(NACK, "{\"requeue\":true,\"worker_id\":\"w1\"}").getStatus()).isEqualTo(200);
		assertThat(this.outcomes)
			.containsExactly(new Outcome.Requeued(new Lease(Doubles.JOB_ID, 1), HttpRequests.CLOCK.instant()));
	}

	@Test
	void otherWorkerOrAttemptIsRefused() {
		assertThat(this.requests.post(NACK, "{\"requeue\":true,\"worker_id\":\"w2\"}").getStatus()).isEqualTo(409);
		assertThat(this.requests.post(NACK, "{\"requeue\":true,\"attempt\":2}").getStatus()).isEqualTo(409);
		assertThat(this.outcomes).isEmpty();
	}

	/** Knowing the id of a job must not be enough to settle it. */
	@ParameterizedTest
	@CsvSource({ "true, 409", "false, 200" })
	void workerIdIsRequiredWhereWorkersAreNamed(boolean named, int status) {
		assertThat(requests(named).post(NACK, "{\"requeue\":true}").getStatus()).isEqualTo(status);
		assertThat(this.outcomes).hasSize((status == 200) ? 1 : 0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "ack", "nack", "progress" })
	void jobOfAnotherTenantIsNotFound(String action) {
		MockHttpServletResponse response = this.requests.send("POST", "/ojs/v1/jobs/" + Doubles.JOB_ID + "/" + action,
				"{\"requeue\":true,\"progress\":0.5}",
				Map.of(TenantAccess.HEADER, "other", "Content-Type", HttpRequests.JSON));
		assertThat(response.getStatus()).isEqualTo(404);
		assertThat(this.outcomes).isEmpty();
	}

	/** The lease is held by w1 of no tenant, which is not w1 of acme. */
	@Test
	void workerIdsOfATenantAreItsOwn() {
		Map<String, String> headers = Map.of(TenantAccess.HEADER, "acme", "Content-Type", HttpRequests.JSON);
		assertThat(this.requests.send("POST", NACK, "{\"requeue\":true,\"worker_id\":\"w1\"}", headers).getStatus())
			.isEqualTo(409);
		assertThat(this.requests.send("POST", NACK, "{\"requeue\":true}", headers).getStatus()).isEqualTo(200);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					/ojs/v1/workers/nack                                | {"requeue":true}                          | job_id
					/ojs/v1/jobs/019539a4-0000-7000-8000-000000000001/nack | {"requeue":true,"job_id":"2"}          | job_id
					/ojs/v1/jobs/019539a4-0000-7000-8000-000000000001/nack | {}                                     | error
					/ojs/v1/jobs/019539a4-0000-7000-8000-000000000001/nack | {"error":"x"}                          | error
					/ojs/v1/jobs/019539a4-0000-7000-8000-000000000001/nack | {"error":{"code":"x"}}                 | error.message
					/ojs/v1/jobs/019539a4-0000-7000-8000-000000000001/nack | {"requeue":"yes"}                      | requeue
					/ojs/v1/jobs/019539a4-0000-7000-8000-000000000001/progress | {"progress":"half"}                | progress
					/ojs/v1/jobs/019539a4-0000-7000-8000-000000000001/progress | {}                                 | progress
					/ojs/v1/workers/fetch                               | {"worker_id":"w1"}                        | queues
					/ojs/v1/workers/fetch                               | {"queues":"mail"}                         | queues
					""")
	void invalidFieldIsNamed(String path, String body, String field) {
		MockHttpServletResponse response = this.requests.post(path, body);
		assertThat(response.getStatus()).as(HttpRequests.text(response)).isEqualTo(400);
		assertThat(HttpRequests.details(response).get("field")).isEqualTo(field);
		assertThat(this.outcomes).isEmpty();
	}

	@Test
	void unknownJobIsNotFound() {
		assertThat(this.requests.post("/ojs/v1/jobs/2/nack", "{\"requeue\":true}").getStatus()).isEqualTo(404);
	}

}
