package io.ojs.web.internal.deadletter;

import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import io.ojs.client.OjsOperations;
import io.ojs.deadletter.internal.DeadLetterStore;
import io.ojs.deadletter.internal.StoreDeadLetters;
import io.ojs.internal.admin.AdminStore;
import io.ojs.internal.admin.JobFilter;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.store.StoreException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.JobStore;
import io.ojs.web.internal.Doubles;
import io.ojs.web.internal.HttpRequests;
import io.ojs.web.internal.endpoint.AdminJobEndpoints;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is told of changes of many jobs of which some fail.
 */
class BulkOperationsTests {

	private static final String ALL = "{\"filter\":{},\"confirm\":true}";

	@ParameterizedTest
	@CsvSource({ "500, false, 500", "1200, false, 500", "499, true, 499" })
	void oneThatEndsEarlySaysSo(int jobs, boolean complete, int tried) {
		Map<String, @Nullable Object> body = HttpRequests
			.body(requests(jobs, true).post("/ojs/v1/admin/jobs/bulk/cancel", ALL));
		assertThat(body).containsEntry("complete", complete)
			.containsEntry("matched", tried)
			.containsEntry("succeeded", 0)
			.containsEntry("failed", tried);
		assertThat(body.containsKey("message")).isEqualTo(!complete);
	}

	@Test
	void purgeSaysSoToo() {
		Map<String, @Nullable Object> body = HttpRequests.body(
				requests(600, true).post("/ojs/v1/queues/mail/purge", "{\"states\":[\"available\"],\"confirm\":true}"));
		assertThat(body).containsEntry("complete", false).containsEntry("cancelled", 0).containsKey("message");
		assertThat((List<?>) body.get("errors")).hasSize(20);
	}

	@Test
	void nothingOfTheDatabaseIsTold() {
		MockHttpServletResponse response = requests(3, true).post("/ojs/v1/admin/jobs/bulk/cancel", ALL);
		assertThat(HttpRequests.text(response)).contains("The database cannot be reached")
			.doesNotContain("select", "ojs_job", "SQL");
	}

	@Test
	void whatBecomesADeadLetterMeanwhileIsNotRetriedToo() {
		Instant newest = Instant.parse("2999-01-01T00:00:00Z");
		StoredJob letter = new StoredJob(Doubles.job(JobState.DISCARDED, null).job(), 3, Map.of(), null, newest, "mail",
				0);
		DeadLetterStore letters = answering(DeadLetterStore.class, (arguments) -> List.of(letter));
		List<JobFilter> looked = new ArrayList<>();
		AdminStore admin = answering(AdminStore.class, (arguments) -> {
			looked.add((JobFilter) arguments[0]);
			return List.of();
		});
		HttpRequests requests = HttpRequests
			.of(new AdminJobEndpoints(Doubles.untouched(OjsOperations.class), Doubles.untouched(JobStore.class), admin,
					null, new StoreDeadLetters(letters, null, null, null, 0, HttpRequests.CLOCK, null)));
		assertThat(requests.post("/ojs/v1/admin/jobs/bulk/retry", ALL).getStatus()).isEqualTo(200);
		requests.post("/ojs/v1/admin/jobs/bulk/retry",
				"{\"filter\":{\"until\":\"2026-01-01T00:00:00Z\"},\"confirm\":true}");
		assertThat(looked).extracting(JobFilter::until)
			.containsExactly(newest.plus(1, ChronoUnit.MICROS), Instant.parse("2026-01-01T00:00:00Z"));
	}

	/** One may come to be between the two looks at the store. */
	@Test
	void whereThereIsNoDeadLetterNoneIsRetried() {
		StoredJob late = new StoredJob(Doubles.job(JobState.DISCARDED, null).job(), 3, Map.of(), null,
				HttpRequests.CLOCK.instant(), "mail", 0);
		DeadLetterStore letters = Doubles.of(DeadLetterStore.class, (method, arguments) -> {
			assertThat(method).isEqualTo("list");
			return List.of();
		});
		AdminStore admin = answering(AdminStore.class, (arguments) -> {
			Instant until = ((JobFilter) arguments[0]).until();
			return (until == null || late.deadLetteredAt().isBefore(until)) ? List.of(late) : List.of();
		});
		HttpRequests requests = HttpRequests
			.of(new AdminJobEndpoints(Doubles.untouched(OjsOperations.class), Doubles.untouched(JobStore.class), admin,
					null, new StoreDeadLetters(letters, null, null, null, 0, HttpRequests.CLOCK, null)));
		for (String filter : List.of("{}", "{\"until\":\"2999-01-01T00:00:00Z\"}")) {
			assertThat(HttpRequests.body(requests.post("/ojs/v1/admin/jobs/bulk/retry",
					"{\"filter\":%s,\"confirm\":true}".formatted(filter))))
				.containsEntry("matched", 0)
				.containsEntry("succeeded", 0)
				.containsEntry("complete", true);
		}
	}

	private static HttpRequests requests(int jobs, boolean failing) {
		List<StoredJob> all = IntStream.range(0, jobs)
			.mapToObj((i) -> new StoredJob(Job.builder("019539a4-0000-7000-8000-%012d".formatted(i), "a.b", "mail")
				.state(JobState.AVAILABLE)
				.build(), 3, Map.of(), null, null, null, 0))
			.toList();
		AdminStore admin = answering(AdminStore.class, (arguments) -> {
			int offset = Math.min(jobs, ((Long) arguments[1]).intValue());
			return all.subList(offset, Math.min(jobs, offset + (Integer) arguments[2]));
		});
		OjsOperations ojs = answering(OjsOperations.class, (arguments) -> {
			if (failing) {
				throw new StoreException("Could not cancel: SQL [select * from ojs_job]; closed", null);
			}
			return Optional.empty();
		});
		return HttpRequests.of(new AdminJobEndpoints(ojs, answering(JobStore.class, (arguments) -> Optional.empty()),
				admin, null, null));
	}

	/** The endpoints ask for one thing only. */
	private static <T> T answering(Class<T> type, java.util.function.Function<Object[], Object> answer) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> answer.apply(arguments)));
	}

}
