package io.ojs.benchmark.contender;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OjsApplicationTests {

	private final Site site = new Site("amqp://broker", "jdbc:postgresql://database", "user", "password", "quorum",
			false);

	@Test
	void workersOfTheStoreHaveTheSettingsThatThePageTells() {
		assertThat(OjsApplication.STORE.properties(this.site))
			.containsEntry("ojs.queues.bench.concurrency", Setting.STORE_CONCURRENCY)
			.containsEntry("ojs.queues.bench.prefetch", Setting.STORE_PREFETCH);
	}

	@Test
	void defaultsSetNothingOfWorkers() {
		for (OjsApplication application : new OjsApplication[] { OjsApplication.BROKER_DEFAULTS,
				OjsApplication.STORE_DEFAULTS }) {
			assertThat(application.properties(this.site)).doesNotContainKeys("ojs.queues.bench.concurrency",
					"ojs.queues.bench.prefetch");
		}
	}

}
