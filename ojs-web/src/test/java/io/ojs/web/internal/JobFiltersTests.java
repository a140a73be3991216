package io.ojs.web.internal;

import java.time.Instant;
import java.util.Map;
import java.util.Set;

import io.ojs.internal.admin.JobFilter;
import io.ojs.job.JobState;
import io.ojs.web.Access;
import io.ojs.web.TenantAccess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reading filters. A misspelt one is refused: it would match more jobs than the caller
 * named.
 */
class JobFiltersTests {

	private static final String ID = "019539a4-0000-7000-8000-000000000001";

	private @Nullable JobFilter read;

	private final HttpRequests requests = HttpRequests
		.forTenants((routes) -> routes.forTenants().get("/v1/jobs", Access.READ, (call) -> {
			this.read = JobFilters.of(call);
			return HttpResult.noContent();
		}).post("/v1/jobs", Access.WRITE, (call) -> {
			this.read = JobFilters.of(call, call.fields());
			return HttpResult.noContent();
		}));

	@Test
	void emptyFilterMatchesAll() {
		assertThat(query(Map.of())).isEqualTo(JobFilter.ANY);
		assertThat(body("{}")).isEqualTo(JobFilter.ANY);
	}

	@Test
	void parametersAreRead() {
		assertThat(query(Map.of("queue", "mail", "type", "email.*", "state", "active,retryable", "since",
				"2026-03-15T09:30:00Z", "until", "2026-03-16T09:30:00Z")))
			.isEqualTo(new JobFilter("mail", "email.*", Set.of(JobState.ACTIVE, JobState.RETRYABLE), false,
					Instant.parse("2026-03-15T09:30:00Z"), Instant.parse("2026-03-16T09:30:00Z"), Set.of(), null));
	}

	@Test
	void fieldsAreRead() {
		assertThat(body("""
				{"queue":"mail","type":"email.*","states":["active","retryable"],"ids":["%s"],
				 "since":"2026-03-15T09:30:00Z","until":"2026-03-16T10:30:00+01:00"}""".formatted(ID)))
			.isEqualTo(new JobFilter("mail", "email.*", Set.of(JobState.ACTIVE, JobState.RETRYABLE), false,
					Instant.parse("2026-03-15T09:30:00Z"), Instant.parse("2026-03-16T09:30:00Z"), Set.of(ID), null));
		assertThat(body("{\"state\":\"active\"}")).isEqualTo(JobFilter.ANY.states(Set.of(JobState.ACTIVE)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{"ids":[]}                       | ids
			{"states":[]}                    | states
			{"stats":["active"]}             | stats
			{"tenant":"other"}               | tenant
			{"state":"running"}              | state
			{"states":["active","running"]}  | state
			{"ids":["1"]}                    | id
			{"queue":"Mail"}                 | queue
			{"since":"yesterday"}            | since
			{"ids":"%s"}                     | ids
			""")
	void invalidFieldIsRefused(String body, String field) {
		MockHttpServletResponse response = this.requests.post("/ojs/v1/jobs", body);
		assertThat(response.getStatus()).as(HttpRequests.text(response)).isEqualTo(400);
		assertThat(HttpRequests.details(response).get("field")).isEqualTo(field);
		assertThat(this.read).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "state, running", "state, 'active,running'", "since, yesterday", "queue, Mail", "type, 'a b'" })
	void invalidParameterIsRefused(String parameter, String value) {
		MockHttpServletResponse response = this.requests.get("/ojs/v1/jobs", Map.of(parameter, value));
		assertThat(response.getStatus()).isEqualTo(400);
		assertThat(HttpRequests.details(response).get("field")).isEqualTo(parameter);
	}

	@Test
	void filterOfATenantHasItsId() {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", "/ojs/v1/jobs");
		request.addHeader(TenantAccess.HEADER, "acme");
		assertThat(this.requests.send(request).getStatus()).isEqualTo(204);
		assertThat(this.read).isEqualTo(JobFilter.ANY.tenant("acme"));
		this.requests.send("POST", "/ojs/v1/jobs", "{}",
				Map.of(TenantAccess.HEADER, "acme", "Content-Type", HttpRequests.JSON));
		assertThat(this.read).isEqualTo(JobFilter.ANY.tenant("acme"));
	}

	private @Nullable JobFilter query(Map<String, String> parameters) {
		MockHttpServletResponse response = this.requests.get("/ojs/v1/jobs", parameters);
		assertThat(response.getStatus()).as(HttpRequests.text(response)).isEqualTo(204);
		return this.read;
	}

	private @Nullable JobFilter body(String body) {
		MockHttpServletResponse response = this.requests.post("/ojs/v1/jobs", body);
		assertThat(response.getStatus()).as(HttpRequests.text(response)).isEqualTo(204);
		return this.read;
	}

}
