package io.ojs.boot.it;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ojs.client.OjsOperations;
import io.ojs.job.JobRequest;
import io.ojs.tenant.Tenants;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * kill -9 of the only process that knows which jobs wait for the turn of their tenant:
 * another one has them go on, whether it holds jobs back itself or not.
 */
@Tag("faults")
class FairSharesCrashTests extends StoreCrashFixture {

	private static final int MANY = 100;

	private static final int THREADS = 5;

	/**
	 * Before the first jobs are published, with those that follow taken and not
	 * published, with them published and not noted, and while jobs run.
	 */
	@ParameterizedTest
	@MethodSource
	void whatWaitsGoesOn(String point, int time, boolean tenancy) {
		try (ChildApplication child = child()
			.with(NoisyEnqueuer.class, StoreCrashes.ShortHold.class, StoreCrashes.Desk.class)
			.property("ojs.tenancy.enabled", true)
			.crashAt(point, time)
			.start()) {
			child.killAt(point);
		}
		try (Application other = settings(application()).property("ojs.tenancy.enabled", tenancy)
			.property("ojs.worker.enabled", false)
			.start()) {
			assertThat(count(other, "select count(*) from ojs_job")).isEqualTo(MANY);
			assertThat(count(other, "select count(*) from ojs_job where awaits_turn and state = 'available'"))
				.as("some wait")
				.isPositive();
		}
		try (Application other = worker().property("ojs.tenancy.enabled", tenancy).start()) {
			await().until(() -> count(other, "select count(*) from ojs_job where state <> 'completed'") == 0);
			await().until(() -> client().count(JOBS) == 0);
			long lost = count(other, "select count(*) from ojs_job where attempt > 1");
			assertThat(lost).as("runs that were cut off or not recorded yet").isLessThanOrEqualTo(2 * THREADS);
			List<String> runs = runs();
			assertThat(runs).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(MANY + (int) lost);
			assertThat(runs.stream().map((run) -> run.split(" ")[0]).distinct()).hasSize(MANY);
		}
		assertNothingIsLeftAtTheBroker();
	}

	static Stream<Arguments> whatWaitsGoesOn() {
		return KillPoints.some(arguments("before JobPublisher.publish", 2, false),
				arguments("before JobPublisher.publish", 1, true), arguments("handler", 15, false),
				arguments("after JobPublisher.publish", 3, true));
	}

	/** Enqueues far more than the share of a tenant as soon as it runs. */
	static class NoisyEnqueuer {

		@Bean
		ApplicationRunner enqueueMany(OjsOperations ojs, Tenants tenants) {
			return (arguments) -> tenants.supply("noisy", () -> ojs.enqueueAll(
					IntStream.range(0, MANY).mapToObj((i) -> JobRequest.of("desk.write").queue("desk")).toList()));
		}

	}

}
