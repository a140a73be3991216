package io.ojs.web.internal.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.ojs.client.OjsOperations;
import io.ojs.internal.admin.JobSearch;
import io.ojs.job.JobState;
import io.ojs.web.TenantAccess;
import io.ojs.web.internal.Doubles;
import io.ojs.web.internal.HttpRequests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Access to jobs by tenant, and the checks of a batch before one of its jobs is enqueued.
 */
class JobEndpointsTests {

	private static final String PATH = "/ojs/v1/jobs/" + Doubles.JOB_ID;

	private final List<String> changed = new ArrayList<>();

	private final OjsOperations ojs = Doubles.of(OjsOperations.class, (method, arguments) -> {
		this.changed.add(method + " " + arguments[0]);
		return Optional.of(Doubles.job(JobState.CANCELLED, "acme").job());
	});

	private JobSearch.Marks marks = JobSearch.Marks.NONE;

	private final HttpRequests requests = HttpRequests
		.forTenants(new JobEndpoints(this.ojs, null, Doubles.store(Doubles.job(JobState.AVAILABLE, "acme")),
				Doubles.of(JobSearch.class, (method, id) -> this.marks), null, null, HttpRequests.CLOCK));

	@ParameterizedTest
	@CsvSource({ "GET, ''", "DELETE, ''", "POST, /cancel", "POST, /activate" })
	void jobOfAnotherTenantIsNotFound(String method, String action) {
		MockHttpServletResponse response = this.requests.send(method, PATH + action, null,
				Map.of(TenantAccess.HEADER, "other"));
		assertThat(response.getStatus()).isEqualTo(404);
		assertThat(HttpRequests.details(response).get("resource_id")).isEqualTo(Doubles.JOB_ID);
		assertThat(this.changed).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "GET, '', acme, ", "DELETE, '', acme, cancel", "POST, /cancel, acme, cancel",
			"POST, /activate, acme, activate" })
	void jobOfTheTenantIsFoundAndChanged(String method, String action, String tenant, String change) {
		MockHttpServletResponse response = this.requests.send(method, PATH + action, null,
				Map.of(TenantAccess.HEADER, tenant));
		assertThat(response.getStatus()).isEqualTo(200);
		assertThat(this.changed).isEqualTo((change != null) ? List.of(change + " " + Doubles.JOB_ID) : List.of());
	}

	@Test
	void jobHasItsWorkflowAndItsLabels() {
		Map<String, String> header = Map.of(TenantAccess.HEADER, "acme");
		Map<?, ?> job = (Map<?, ?>) HttpRequests.body(this.requests.send("GET", PATH, null, header)).get("job");
		assertThat(job.get("labels")).isEqualTo(List.of());
		assertThat(job.containsKey("workflow_id")).isFalse();
		this.marks = new JobSearch.Marks(Doubles.JOB_ID, List.of("#a", "b=c"));
		job = (Map<?, ?>) HttpRequests.body(this.requests.send("GET", PATH, null, header)).get("job");
		assertThat(job.get("labels")).isEqualTo(List.of("#a", "b=c"));
		assertThat(job.get("workflow_id")).isEqualTo(Doubles.JOB_ID);
	}

	@ParameterizedTest
	@CsvSource({ "GET, 1", "DELETE, a%00b", "GET, 019539a4-0000-4000-8000-000000000001" })
	void invalidIdIsNotFound(String method, String id) {
		int status = this.requests.send(method, "/ojs/v1/jobs/" + id, null, Map.of()).getStatus();
		assertThat(status).isEqualTo(id.contains("%00") ? 400 : 404);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{}                                          | jobs
			{"jobs":[]}                                 | jobs
			{"jobs":{}}                                 | jobs
			{"jobs":[null]}                             | jobs[0]
			{"jobs":[7]}                                | jobs[0]
			{"jobs":[{"args":[]}]}                      | jobs[0].type
			{"jobs":[{"type":"a.b","args":7}]}          | jobs[0].args
			""")
	void invalidEntryIsNamedByItsIndex(String body, String field) {
		HttpRequests refusing = HttpRequests.of(new JobEndpoints(Doubles.untouched(OjsOperations.class), null,
				Doubles.store(Doubles.job(JobState.AVAILABLE, null)), Doubles.untouched(JobSearch.class), null, null,
				HttpRequests.CLOCK));
		MockHttpServletResponse response = refusing.post("/ojs/v1/jobs/batch", body);
		assertThat(response.getStatus()).as(HttpRequests.text(response)).isEqualTo(400);
		assertThat(HttpRequests.details(response).get("field")).isEqualTo(field);
	}

	@Test
	void batchHasAtMostAThousandJobs() {
		// All entries are invalid, so the field tells which check failed.
		assertThat(HttpRequests.details(this.requests.post("/ojs/v1/jobs/batch", batch(1001))).get("field"))
			.isEqualTo("jobs");
		assertThat(HttpRequests.details(this.requests.post("/ojs/v1/jobs/batch", batch(1000))).get("field"))
			.isEqualTo("jobs[0]");
	}

	private static String batch(int entries) {
		return IntStream.range(0, entries)
			.mapToObj(Integer::toString)
			.collect(Collectors.joining(",", "{\"jobs\":[", "]}"));
	}

}
