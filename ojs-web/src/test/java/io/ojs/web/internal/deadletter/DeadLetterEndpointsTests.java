package io.ojs.web.internal.deadletter;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.internal.DeadLetterStore;
import io.ojs.deadletter.internal.StoreDeadLetters;
import io.ojs.internal.admin.AdminStore;
import io.ojs.job.JobState;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.store.StoredJob;
import io.ojs.web.TenantAccess;
import io.ojs.web.internal.Doubles;
import io.ojs.web.internal.EnqueueRules;
import io.ojs.web.internal.HttpRequests;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Access to dead letters by tenant, and the checks of filters and overrides. A misspelt
 * filter is refused: it would match more than the caller named.
 */
class DeadLetterEndpointsTests {

	private static final String PATH = "/ojs/v1/dead-letter";

	private static final Instant NEWEST = Instant.parse("2026-02-01T00:00:00Z");

	private final List<DeadLetterFilter> looked = new ArrayList<>();

	private final List<DeadLetterFilter> deleted = new ArrayList<>();

	private final DeadLetterStore store = Doubles.of(DeadLetterStore.class, (method, arguments) -> {
		if (method.equals("get")) {
			return Optional.of(Doubles.job(JobState.DISCARDED, "acme"));
		}
		if (method.equals("list")) {
			this.looked.add((DeadLetterFilter) arguments[0]);
			return List
				.of(new StoredJob(Doubles.job(JobState.DISCARDED, "acme").job(), 1, Map.of(), null, NEWEST, "mail", 0));
		}
		if (!method.equals("delete")) {
			throw new AssertionError("DeadLetterStore.%s was called".formatted(method));
		}
		this.deleted.add((DeadLetterFilter) arguments[0]);
		return 1;
	});

	private final HttpRequests requests = HttpRequests.forTenants(
			new DeadLetterEndpoints(new StoreDeadLetters(this.store, null, null, null, 0, HttpRequests.CLOCK, null),
					this.store, Doubles.untouched(AdminStore.class),
					new EnqueueRules(LiveQueues.UNMANAGED, List::of, (job) -> "", 0, 0, List.of())));

	@ParameterizedTest
	@CsvSource({ "GET, ''", "DELETE, ''", "POST, /retry" })
	void deadLetterOfAnotherTenantIsNotFound(String method, String action) {
		for (String path : List.of(PATH, "/ojs/v1/admin/dead-letter")) {
			MockHttpServletResponse response = send(method, path + "/" + Doubles.JOB_ID + action, "", "other");
			assertThat(response.getStatus()).isEqualTo(404);
		}
		assertThat(this.deleted).isEmpty();
	}

	@Test
	void deadLetterOfTheTenantIsFoundAndDeleted() {
		assertThat(send("GET", PATH + "/" + Doubles.JOB_ID, null, "acme").getStatus()).isEqualTo(200);
		assertThat(send("DELETE", PATH + "/" + Doubles.JOB_ID, "", "acme").getStatus()).isEqualTo(200);
		assertThat(this.deleted).containsExactly(DeadLetterFilter.ANY.ids(Set.of(Doubles.JOB_ID)));
	}

	@Test
	void purgeOfATenantIsLimitedToItsDeadLetters() {
		assertThat(send("DELETE", PATH, "{\"confirm\":true}", "acme").getStatus()).isEqualTo(200);
		assertThat(send("DELETE", PATH, "{\"confirm\":true,\"filter\":{\"queue\":\"mail\"}}", "acme").getStatus())
			.isEqualTo(200);
		assertThat(this.deleted).hasSize(2).extracting(DeadLetterFilter::tenant).containsOnly("acme");
	}

	/** It is another one than the queue in which the job failed, if that names it. */
	@Test
	void theQueueThatKeepsThemIsAConditionOfItsOwn() {
		refused(send("DELETE", PATH, "{\"confirm\":true,\"filter\":{\"dead_letter_queue\":\"Mail\"}}", null), 400,
				"filter.dead_letter_queue");
		refused(this.requests.get(PATH, Map.of("dead_letter_queue", "Mail")), 400, "dead_letter_queue");
		assertThat(this.requests.get(PATH, Map.of("total", "false", "queue", "mail", "dead_letter_queue", "graveyard"))
			.getStatus()).isEqualTo(200);
		String body = "{\"confirm\":true,\"filter\":{\"queue\":\"mail\",\"dead_letter_queue\":\"graveyard\"}}";
		assertThat(send("DELETE", PATH, body, null).getStatus()).isEqualTo(200);
		DeadLetterFilter kept = DeadLetterFilter.ANY.origin("mail").queue("graveyard");
		assertThat(this.looked).containsExactly(kept, kept);
	}

	@Test
	void purgeCanEndAtATime() {
		assertThat(send("DELETE", PATH, "{\"confirm\":true,\"older_than\":\"2026-03-01T00:00:00Z\"}", null).getStatus())
			.isEqualTo(200);
		assertThat(this.looked).extracting(DeadLetterFilter::until)
			.containsExactly(Instant.parse("2026-03-01T00:00:00Z"));
		assertThat(this.deleted).as("what comes meanwhile stays")
			.extracting(DeadLetterFilter::until)
			.containsExactly(NEWEST.plus(1, ChronoUnit.MICROS));
	}

	@ParameterizedTest
	@CsvSource({ "2026-03-01,2026-03-10", "2026-03-10,2026-03-01" })
	void purgeEndsAtTheEarlierOfTwoTimes(String olderThan, String until) {
		String body = """
				{"confirm":true,"older_than":"%sT00:00:00Z","filter":{"until":"%sT00:00:00Z"}}""";
		assertThat(send("DELETE", PATH, body.formatted(olderThan, until), null).getStatus()).isEqualTo(200);
		assertThat(this.looked).extracting(DeadLetterFilter::until)
			.containsExactly(Instant.parse("2026-03-01T00:00:00Z"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{}                                                      | confirm
			{"confirm":false}                                       | confirm
			{"confirm":true,"queue":"mail"}                         | queue
			{"confirm":true,"filter":{"queues":["mail"]}}           | filter.queues
			{"confirm":true,"filter":{"ids":[]}}                    | filter.ids
			{"confirm":true,"filter":{"ids":["1"]}}                 | filter.ids
			{"confirm":true,"filter":{"tenant_id":"other"}}         | filter.tenant_id
			{"confirm":true,"older_than":"yesterday"}               | older_than
			""")
	void purgeNeedsConfirmationAndAValidFilter(String body, String field) {
		refused(send("DELETE", PATH, body, null), 400, field);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{"filter":{}}                                           | confirm
			{"confirm":true,"filter":{"ids":[]}}                    | filter.ids
			{"confirm":true,"filter":{"states":["discarded"]}}      | filter.states
			{"confirm":true,"limits":5}                             | limits
			{"confirm":true,"limit":"all"}                          | limit
			""")
	void replayOfManyNeedsConfirmationAndAValidFilter(String body, String field) {
		refused(send("POST", PATH + "/retry", body, null), 400, field);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{"type":"c.d"}                       | 400 | type
			{"queue":7}                          | 400 | queue
			{"retry":{"max_attempts":"many"}}    | 400 | retry.max_attempts
			{"retry":{"max_attempt":3}}          | 400 | retry.max_attempt
			{"retry":{"on_exhaustion":"later"}}  | 422 | retry.on_exhaustion
			{"retry":{"backoff_strategy":"no"}}  | 422 | retry.backoff_strategy
			""")
	void invalidOverrideIsNamed(String body, int status, String field) {
		refused(send("POST", PATH + "/" + Doubles.JOB_ID + "/retry", body, null), status, field);
		refused(send("POST", PATH + "/retry", "{\"confirm\":true,\"overrides\":%s}".formatted(body), null), status,
				"overrides." + field);
	}

	@ParameterizedTest
	@ValueSource(strings = { "1", "not-an-id", "019539a4-0000-4000-8000-000000000001" })
	void invalidIdIsNotFound(String id) {
		assertThat(send("GET", PATH + "/" + id, null, null).getStatus()).isEqualTo(404);
		assertThat(send("DELETE", PATH + "/" + id, "", null).getStatus()).isEqualTo(404);
		assertThat(this.deleted).isEmpty();
	}

	private MockHttpServletResponse send(String method, String path, @Nullable String body, @Nullable String tenant) {
		return this.requests.send(method, path, body,
				(tenant != null) ? Map.of(TenantAccess.HEADER, tenant, "Content-Type", HttpRequests.JSON)
						: Map.of("Content-Type", HttpRequests.JSON));
	}

	private void refused(MockHttpServletResponse response, int status, String field) {
		assertThat(response.getStatus()).as(HttpRequests.text(response)).isEqualTo(status);
		assertThat(HttpRequests.details(response).get("field")).isEqualTo(field);
		assertThat(this.deleted).isEmpty();
	}

}
