package io.ojs.boot.it;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.ojs.client.TenantLimitExceededException;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.internal.rate.RateLimitStore;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.RateLimit;
import io.ojs.job.RateScope;
import io.ojs.job.RetryPriority;
import io.ojs.tenant.Tenants;
import io.ojs.test.internal.database.PostgresDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Limits together with retries and with tenants, in an application that works (OJS
 * Extension Interactions §6, §7, §9).
 */
class LimitInteractionsTests extends BrokerTest {

	private static final RateLimit ONE = RateLimit.of("desk").concurrency(1);

	private final PostgresDatabase database = StoreDatabases.create();

	@BeforeEach
	void forget() {
		Desk.order.clear();
		Desk.door = new CountDownLatch(1);
		Desk.gate = new CountDownLatch(1);
	}

	@AfterEach
	void dropDatabase() {
		Desk.gate.countDown();
		Desk.door.countDown();
		this.database.close();
	}

	private Application.Starter desk() {
		return application(Desk.class).database(this.database.url(), this.database.username(), this.database.password())
			.property("ojs.queues.desk.concurrency", 4);
	}

	private static Job enqueue(Application application, String tenant, JobRequest request) {
		return application.bean(Tenants.class).supply(tenant, () -> application.ojs().enqueue(request));
	}

	private static JobState state(Application application, Job job) {
		return application.ojs().find(job.id()).orElseThrow().state();
	}

	private static boolean waits(Application application, Job job) {
		return !application.bean(JdbcTemplate.class)
			.queryForList("select 1 from ojs_job where id = cast(? as uuid) and blocked_by is not null", job.id())
			.isEmpty();
	}

	private static void came(Application application, Job job, int hoursAgo) {
		application.bean(JdbcTemplate.class)
			.update("update ojs_job set enqueued_at = now() - ? * interval '1 hour' where id = cast(? as uuid)",
					hoursAgo, job.id());
	}

	private static JobRequest request(String type, String name, RateLimit limit) {
		return JobRequest.of(type, name).queue("desk").rateLimit(limit);
	}

	@ParameterizedTest
	@Tag("EI-R002")
	@CsvSource({ "EQUAL, first retry second", "PREFER_RETRY, retry first second", "PREFER_NEW, first second retry" })
	void retriesComeBeforeOrAfterNewJobsAsTheirLimitSays(RetryPriority priority, String order) {
		RateLimit limit = ONE.retryPriority(priority);
		try (Application application = desk().start()) {
			Job retry = application.ojs().enqueue(request("desk.second", "retry", limit));
			await().until(() -> state(application, retry) == JobState.ACTIVE);
			// It gets the place of the first attempt, before there is a retry.
			Job blocker = application.ojs().enqueue(request("desk.wait", "blocker", limit));
			assertThat(waits(application, blocker)).isTrue();
			Desk.gate.countDown();
			await().until(() -> state(application, blocker) == JobState.ACTIVE);
			Job first = application.ojs().enqueue(request("desk.write", "first", limit));
			Job second = application.ojs().enqueue(request("desk.write", "second", limit));
			await().until(() -> waits(application, first) && waits(application, second) && waits(application, retry));
			// Who came when is not left to the speed of this machine.
			came(application, first, 3);
			came(application, retry, 2);
			came(application, second, 1);
			Desk.door.countDown();
			await().until(() -> Desk.order.size() == 4);
			assertThat(Desk.order).containsExactly(("blocker " + order).split(" "));
		}
	}

	@Test
	@Tag("EI-006")
	void retriesAreStartsLikeAnyOther() {
		Desk.gate.countDown();
		RateLimit limit = RateLimit.of("hour").rate(2, Duration.ofHours(1));
		try (Application application = desk().start()) {
			Job job = application.ojs().enqueue(request("desk.second", "twice", limit));
			await().until(() -> state(application, job) == JobState.COMPLETED);
			assertThat(application.bean(RateLimitStore.class).find("hour").orElseThrow().windows().get(0).starts())
				.isEqualTo(2);
			Job third = application.ojs().enqueue(request("desk.write", "third", limit));
			await().until(() -> waits(application, third));
			assertThat(Desk.order).containsExactly("twice");
		}
	}

	@ParameterizedTest
	@Tag("EI-003")
	@Tag("EI-R006")
	@EnumSource
	void eachTenantHasACountOfItsOwnUnlessTheLimitIsGlobal(RateScope scope) {
		RateLimit limit = ONE.scope(scope);
		try (Application application = desk().property("ojs.tenancy.enabled", true).start()) {
			Job first = enqueue(application, "acme", request("desk.wait", "first", limit));
			await().until(() -> state(application, first) == JobState.ACTIVE);
			Job second = enqueue(application, "acme", request("desk.write", "second", limit));
			Job other = enqueue(application, "beta", request("desk.write", "other", limit));
			if (scope == RateScope.TENANT) {
				await().until(() -> Desk.order.equals(List.of("other")));
			}
			else {
				assertThat(waits(application, other)).isTrue();
			}
			assertThat(waits(application, second)).isTrue();
			Desk.door.countDown();
			await().until(() -> Desk.order.size() == 3);
		}
	}

	@Test
	@Tag("EI-R001")
	void aTenantThatHasAsMuchAsItMayHindersNoOther() {
		try (Application application = desk().property("ojs.tenancy.enabled", true)
			.property("ojs.tenancy.tenants.acme.max-queue-depth", 2)
			.start()) {
			Tenants tenants = application.bean(Tenants.class);
			// A limit that lets none start keeps them waiting.
			RateLimit none = RateLimit.of("none").concurrency(0);
			tenants.run("acme", () -> {
				application.ojs()
					.enqueueAll(List.of(request("desk.write", "a", none), request("desk.write", "b", none)));
				assertThatExceptionOfType(TenantLimitExceededException.class)
					.isThrownBy(() -> application.ojs().enqueue(request("desk.write", "c", none)));
			});
			enqueue(application, "beta", JobRequest.of("desk.write", "beta"));
			await().until(() -> Desk.order.equals(List.of("beta")));
		}
	}

	static class Desk {

		static final List<String> order = new CopyOnWriteArrayList<>();

		/** What is behind it ends. */
		static volatile CountDownLatch door = new CountDownLatch(1);

		/** What is behind it fails. */
		static volatile CountDownLatch gate = new CountDownLatch(1);

		@OjsJobHandler(value = "desk.write", queue = "desk")
		void write(String name) {
			order.add(name);
		}

		@OjsJobHandler(value = "desk.second", queue = "desk")
		void second(String name, JobContext context) throws InterruptedException {
			if (context.attempt() == 1) {
				assertThat(gate.await(60, TimeUnit.SECONDS)).isTrue();
				throw new IllegalStateException("no luck at attempt 1");
			}
			order.add(name);
		}

		@OjsJobHandler(value = "desk.wait", queue = "desk")
		void await(String name) throws InterruptedException {
			assertThat(door.await(60, TimeUnit.SECONDS)).isTrue();
			order.add(name);
		}

	}

}
