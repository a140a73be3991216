package io.ojs.web.internal.endpoint;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.admin.JobSearch;
import io.ojs.internal.engine.JobRow;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.web.TenantAccess;
import io.ojs.web.internal.Doubles;
import io.ojs.web.internal.HttpRequests;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The search is asked what the request asks, and answered without what may be large.
 */
class JobSearchEndpointsTests {

	private final List<Object[]> asked = new ArrayList<>();

	private JobSearch.Result result = new JobSearch.Result(List.of(), null, true, null);

	private final JobSearchEndpoints endpoints = new JobSearchEndpoints(
			Doubles.of(JobSearch.class, (method, arguments) -> {
				this.asked.add(arguments);
				return this.result;
			}));

	private Map<?, ?> get(Map<String, String> parameters) {
		MockHttpServletResponse response = HttpRequests.of(this.endpoints).get("/ojs/v1/jobs", parameters);
		assertThat(response.getStatus()).as(HttpRequests.text(response)).isEqualTo(200);
		return HttpRequests.body(response);
	}

	@Test
	void eachParameterIsACriterion() {
		String id = Doubles.JOB_ID;
		get(Map.of("id", "0195\u2026ff", "queue", "q", "type", "a.*", "state", "active", "label", "#a,b", "error_type",
				"T", "error", "text", "tenant", "acme", "workflow_id", id));
		JobSearch.Criteria criteria = (JobSearch.Criteria) this.asked.get(0)[0];
		assertThat(criteria.filter().queue()).isEqualTo("q");
		assertThat(criteria.filter().type()).isEqualTo("a.*");
		assertThat(criteria.filter().states()).containsExactly(JobState.ACTIVE);
		assertThat(criteria.filter().tenant()).isEqualTo("acme");
		assertThat(criteria.filter(JobFilter.ANY))
			.isEqualTo(new JobSearch.Criteria(JobFilter.ANY, "0195", "ff", Set.of("#a,b"), "T", "text", id, null));
		assertThat(this.asked.get(0)).endsWith(null, 50);
		get(Map.of("since", "2026-01-01T00:00:00Z", "until", "2026-01-02T00:00:00Z", "limit", "7", "worker", "w",
				"cursor", id));
		criteria = (JobSearch.Criteria) this.asked.get(1)[0];
		assertThat(criteria.filter().since()).isEqualTo("2026-01-01T00:00:00Z");
		assertThat(criteria.filter().until()).isEqualTo("2026-01-02T00:00:00Z");
		assertThat(criteria.worker()).isEqualTo("w");
		assertThat(this.asked.get(1)).endsWith(id, 7);
	}

	@Test
	void requestForATenantFindsItsJobsAlone() {
		MockHttpServletResponse response = HttpRequests.forTenants(this.endpoints)
			.send("GET", "/ojs/v1/jobs", null, Map.of(TenantAccess.HEADER, "acme"));
		assertThat(response.getStatus()).isEqualTo(200);
		assertThat(((JobSearch.Criteria) this.asked.get(0)[0]).filter().tenant()).isEqualTo("acme");
	}

	@Test
	void workerIsForCallersOfAllTenants() {
		this.result = new JobSearch.Result(List.of(new JobSearch.Found(running(), null, List.of(), false)), null, true,
				null);
		assertThat(((Map<?, ?>) ((List<?>) get(Map.of()).get("items")).get(0)).get("worker")).isEqualTo("4711@host");
		MockHttpServletResponse response = HttpRequests.forTenants(this.endpoints)
			.send("GET", "/ojs/v1/jobs", null, Map.of(TenantAccess.HEADER, "acme"));
		assertThat(HttpRequests.text(response)).contains(Doubles.JOB_ID).doesNotContain("4711@host");
	}

	private static JobRow running() {
		JobRow row = new JobRow(UUID.fromString(Doubles.JOB_ID));
		row.type = "mail.send";
		row.queue = "mail";
		row.state = JobState.ACTIVE;
		row.worker = "4711@host";
		return row;
	}

	@Test
	void jobHasWhatAListShows() {
		JobRow row = running();
		row.worker = null;
		row.state = JobState.RETRYABLE;
		row.dueAt = Instant.parse("2026-01-01T00:00:01Z");
		row.sizeBytes = 7;
		JobError error = new JobError("T", JobError.HANDLER_ERROR, "x".repeat(199) + "\ud83d\ude00", 1,
				OffsetDateTime.parse("2026-01-01T00:00:00Z"), List.of("frame"), Map.of());
		this.result = new JobSearch.Result(List.of(new JobSearch.Found(row, error, List.of("#a"), null)),
				Doubles.JOB_ID, false, Instant.parse("2026-01-01T00:00:00Z"));
		Map<?, ?> body = get(Map.of());
		assertThat(body.get("searched")).isEqualTo(Map.of("complete", false, "back_to", "2026-01-01T00:00:00.000Z"));
		assertThat(body.get("pagination")).isEqualTo(Map.of("has_more", true, "next_cursor", Doubles.JOB_ID));
		Map<?, ?> job = (Map<?, ?>) ((List<?>) body.get("items")).get(0);
		assertThat(job.keySet().stream().map(String::valueOf)).containsExactly("id", "type", "queue", "state",
				"priority", "attempt", "max_attempts", "created_at", "next_attempt_at", "error", "labels", "encrypted",
				"size_bytes");
		assertThat(job.get("encrypted")).isNull();
		assertThat(job.get("error")).isEqualTo(Map.of("type", "T", "message", "x".repeat(199)));
	}

}
