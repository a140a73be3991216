package io.ojs.benchmark.contender;

import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OjsApplicationTests {

	private final Site site = new Site("amqp://broker", "jdbc:postgresql://database", "user", "password", "quorum",
			false);

	@Test
	void deliveryByTheStoreIsTheOnlyDifferenceToTheStore() {
		Map<String, Object> expected = new TreeMap<>(OjsApplication.STORE.properties(this.site));
		expected.put("ojs.queue-defaults.delivery", "store");

		assertThat(OjsApplication.STORE_DELIVERY.properties(this.site)).isEqualTo(expected);
	}

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
					"ojs.queues.bench.prefetch", "ojs.queue-defaults.delivery");
		}
	}

}
