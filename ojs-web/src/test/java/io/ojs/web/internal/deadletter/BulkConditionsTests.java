package io.ojs.web.internal.deadletter;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.client.OjsOperations;
import io.ojs.deadletter.internal.DeadLetterStore;
import io.ojs.deadletter.internal.StoreDeadLetters;
import io.ojs.internal.admin.AdminStore;
import io.ojs.internal.admin.JobFilter;
import io.ojs.job.JobState;
import io.ojs.store.internal.JobStore;
import io.ojs.web.TenantAccess;
import io.ojs.web.internal.Doubles;
import io.ojs.web.internal.HttpRequests;
import io.ojs.web.internal.endpoint.AdminJobEndpoints;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Conditions of bulk operations: a confirmation, a filter, and states that the operation
 * allows.
 */
class BulkConditionsTests {

	private static final String BULK = "/ojs/v1/admin/jobs/bulk/";

	private final List<JobFilter> deleted = new ArrayList<>();

	private final List<JobFilter> searched = new ArrayList<>();

	private final AdminStore jobs = Doubles.of(AdminStore.class, (method, arguments) -> {
		boolean delete = method.equals("delete");
		(delete ? this.deleted : this.searched).add((JobFilter) arguments[0]);
		return delete ? (Object) 0 : List.of();
	});

	private final DeadLetterStore letters = Doubles.of(DeadLetterStore.class, (method, arguments) -> List.of());

	private final HttpRequests requests = HttpRequests
		.forTenants(new AdminJobEndpoints(Doubles.untouched(OjsOperations.class), Doubles.untouched(JobStore.class),
				this.jobs, null, new StoreDeadLetters(this.letters, null, null, null, 0, HttpRequests.CLOCK, null)));

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			retry  | {"filter":{}}                                         | confirm
			cancel | {"filter":{},"confirm":false}                         | confirm
			delete | {"filter":{},"confirm":"true"}                        | confirm
			delete | {"confirm":true}                                      | filter
			cancel | {"filter":{"queues":["mail"]},"confirm":true}         | filter.queues
			cancel | {"filter":{},"confirm":true,"queue":"mail"}           | queue
			delete | {"filter":{"state":"active"},"confirm":true}          | filter.state
			delete | {"filter":{"states":["completed","pending"]},"confirm":true} | filter.state
			cancel | {"filter":{"state":"completed"},"confirm":true}       | filter.state
			cancel | {"filter":{"state":"discarded"},"confirm":true}       | filter.state
			retry  | {"filter":{"state":"completed"},"confirm":true}       | filter.state
			retry  | {"filter":{"state":"available"},"confirm":true}       | filter.state
			""")
	void bulkOperationNeedsConfirmationFilterAndAllowedStates(String action, String body, String field) {
		refused(this.requests.post(BULK + action, body), field);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{"states":["available"]}                                  | confirm
			{"states":["available"],"confirm":false}                  | confirm
			{"confirm":true}                                          | states
			{"states":[],"confirm":true}                              | states
			{"states":["waiting"],"confirm":true}                     | states
			{"states":["available","active"],"confirm":true}          | states
			{"states":["available"],"confirm":true,"before":"2026"}   | before
			""")
	void purgeNeedsConfirmationAndStatesOtherThanActive(String body, String field) {
		refused(this.requests.post("/ojs/v1/queues/mail/purge", body), field);
	}

	@Test
	void purgeDeletesEndedJobsAndCancelsOthers() {
		assertThat(this.requests
			.post("/ojs/v1/queues/mail/purge",
					"{\"states\":[\"available\",\"completed\",\"discarded\",\"scheduled\"],\"confirm\":true}")
			.getStatus()).isEqualTo(200);
		JobFilter mail = JobFilter.ANY.queue("mail");
		assertThat(this.deleted).containsExactly(mail.states(Set.of(JobState.COMPLETED, JobState.DISCARDED)));
		assertThat(this.searched).containsExactly(mail.states(Set.of(JobState.AVAILABLE, JobState.SCHEDULED)));
	}

	@Test
	void bulkOperationOfATenantIsLimitedToItsJobs() {
		for (String action : List.of("cancel", "retry", "delete")) {
			MockHttpServletResponse response = this.requests.send("POST", BULK + action,
					"{\"filter\":{},\"confirm\":true}",
					Map.of(TenantAccess.HEADER, "acme", "Content-Type", HttpRequests.JSON));
			assertThat(response.getStatus()).isEqualTo(200);
		}
		this.requests.send("POST", "/ojs/v1/queues/mail/purge", "{\"states\":[\"completed\"],\"confirm\":true}",
				Map.of(TenantAccess.HEADER, "acme", "Content-Type", HttpRequests.JSON));
		assertThat(this.searched).hasSize(2).extracting(JobFilter::tenant).containsOnly("acme");
		assertThat(this.deleted).hasSize(2).extracting(JobFilter::tenant).containsOnly("acme");
	}

	private void refused(MockHttpServletResponse response, String field) {
		assertThat(response.getStatus()).as(HttpRequests.text(response)).isEqualTo(400);
		assertThat(HttpRequests.details(response).get("field")).isEqualTo(field);
		assertThat(this.deleted).isEmpty();
		assertThat(this.searched).isEmpty();
	}

}
