package io.ojs.web.internal.tenant;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

import io.ojs.internal.admin.AdminStore;
import io.ojs.job.JobState;
import io.ojs.tenant.TenantLimits;
import io.ojs.tenant.internal.limit.EnqueuePeriod;
import io.ojs.tenant.internal.limit.TenantUsage;
import io.ojs.web.TenantAccess;
import io.ojs.web.internal.Doubles;
import io.ojs.web.internal.HttpRequests;
import org.jspecify.annotations.Nullable;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The statistics of tenants: who sees whose, what counts towards which limit, and paging.
 */
class TenantEndpointsTests {

	private static final String TENANTS = "/ojs/v1/admin/tenants";

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final AdminStore jobs = Doubles.of(AdminStore.class, (method, arguments) -> {
		if (method.equals("countsByTenant")) {
			Map<String, Map<JobState, Long>> page = new LinkedHashMap<>();
			IntStream.range(0, 5)
				.mapToObj((i) -> "t" + i)
				.filter((tenant) -> arguments[0] == null || tenant.compareTo((String) arguments[0]) > 0)
				.limit((Integer) arguments[1])
				.forEach((tenant) -> page.put(tenant, Map.of(JobState.ACTIVE, 1L)));
			return page;
		}
		if (method.equals("unfinishedByTenant")) {
			Map<String, AdminStore.TenantJobs> page = new LinkedHashMap<>();
			IntStream.range(0, (Integer) arguments[1])
				.forEach((i) -> page.put("t" + i, new AdminStore.TenantJobs(Map.of(JobState.ACTIVE, 3L), 4, false)));
			return page;
		}
		return Map.of("mail", Map.of(JobState.ACTIVE, 2L, JobState.SCHEDULED, 3L), "pictures",
				Map.of(JobState.AVAILABLE, 4L, JobState.ACTIVE, 1L, JobState.COMPLETED, 9L));
	});

	private TenantLimits limits = TenantLimits.NONE;

	private EnqueuePeriod enqueued = new EnqueuePeriod(MINUTE, HttpRequests.CLOCK.instant().minusSeconds(59), 7);

	private final TenantUsage usage = Doubles.of(TenantUsage.class, (method, arguments) -> Optional.of(this.enqueued));

	private final HttpRequests requests = HttpRequests
		.forTenants(new TenantEndpoints(this.jobs, (tenant) -> this.limits, this.usage, HttpRequests.CLOCK));

	@ParameterizedTest
	@CsvSource({ "acme, acme, 200", "acme, other, 404", "acme, ACME, 404", "acme, a%20b, 404" })
	void tenantSeesOnlyItsOwnStatistics(String tenant, String id, int status) {
		assertThat(this.requests.send("GET", TENANTS + "/" + id + "/stats", null, Map.of(TenantAccess.HEADER, tenant))
			.getStatus()).isEqualTo(status);
		assertThat(this.requests.send("GET", TENANTS, null, Map.of(TenantAccess.HEADER, tenant)).getStatus())
			.isEqualTo(403);
	}

	@Test
	void eachLimitCountsItsStates() {
		assertThat(stats().get("limits")).isEqualTo(Map.of());
		this.limits = TenantLimits.NONE.maxConcurrency(10)
			.maxEnqueueRate(20, MINUTE)
			.maxQueueDepth(30)
			.maxScheduled(40);
		Map<String, @Nullable Object> stats = stats();
		assertThat(stats).containsEntry("total_jobs", 19);
		assertThat(stats.get("limits")).isEqualTo(Map.of("max_concurrency", Map.of("limit", 10, "current", 3),
				"max_enqueue_rate", Map.of("limit", 20, "current", 7, "period", "PT1M"), "max_queue_depth",
				Map.of("limit", 30, "current", 7), "max_scheduled", Map.of("limit", 40, "current", 3)));
	}

	@Test
	void jobsOfAnEarlierPeriodDoNotCount() {
		this.limits = TenantLimits.NONE.maxEnqueueRate(20, MINUTE);
		this.enqueued = new EnqueuePeriod(MINUTE, HttpRequests.CLOCK.instant().minusSeconds(60), 7);
		assertThat(stats().get("limits"))
			.isEqualTo(Map.of("max_enqueue_rate", Map.of("limit", 20, "current", 0, "period", "PT1M")));
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-", value = { "-, 2, 't0,t1', t1", "t1, 2, 't2,t3', t3", "t3, 2, t4, -",
			"-, 5, 't0,t1,t2,t3,t4', -", "-, 4, 't0,t1,t2,t3', t3" })
	void nextCursorIsTheLastTenantOfThePage(@Nullable String cursor, String limit, String tenants,
			@Nullable String next) {
		MockHttpServletResponse response = this.requests.get(TENANTS,
				(cursor != null) ? Map.of("limit", limit, "cursor", cursor) : Map.of("limit", limit));
		Map<String, @Nullable Object> body = HttpRequests.body(response);
		List<?> items = (List<?>) Objects.requireNonNull(body.get("items"));
		assertThat(items).extracting((item) -> ((Map<?, ?>) item).get("tenant_id"))
			.isEqualTo(List.of((Object[]) tenants.split(",")));
		Map<?, ?> pagination = (Map<?, ?>) Objects.requireNonNull(body.get("pagination"));
		assertThat(pagination.get("has_more")).isEqualTo(next != null);
		assertThat(pagination.get("next_cursor")).isEqualTo(next);
	}

	@Test
	void unfinishedJobsAreListedWithWhetherAllAreCounted() {
		Map<String, @Nullable Object> body = HttpRequests
			.body(this.requests.get(TENANTS, Map.of("view", "unfinished", "limit", "1")));
		assertThat(body.get("items")).isEqualTo(List.of(Map.of("tenant_id", "t0", "jobs",
				Map.of("scheduled", 0, "available", 0, "pending", 0, "active", 3, "retryable", 0), "dead_letters", 4,
				"complete", false)));
		assertThat(body.get("pagination")).isEqualTo(Map.of("limit", 1, "has_more", true, "next_cursor", "t0"));
		MockHttpServletResponse odd = this.requests.get(TENANTS, Map.of("view", "odd"));
		assertThat(odd.getStatus()).isEqualTo(400);
		assertThat(HttpRequests.details(odd).get("field")).isEqualTo("view");
	}

	@Test
	void unfinishedJobsOfATenantAreCountedUpToABound() {
		Map<String, @Nullable Object> stats = HttpRequests
			.body(this.requests.get(TENANTS + "/acme/stats", Map.of("view", "unfinished")));
		assertThat(stats.get("jobs"))
			.isEqualTo(Map.of("scheduled", 3, "available", 4, "pending", 0, "active", 3, "retryable", 0));
		assertThat(stats).containsEntry("complete", true).doesNotContainKey("total_jobs");
		assertThat(stats.get("queues")).asInstanceOf(InstanceOfAssertFactories.MAP)
			.containsOnlyKeys("mail", "pictures");
		assertThat(this.requests.get(TENANTS + "/acme/stats", Map.of("view", "odd")).getStatus()).isEqualTo(400);
	}

	private Map<String, @Nullable Object> stats() {
		return HttpRequests.body(this.requests.get(TENANTS + "/acme/stats", Map.of()));
	}

}
