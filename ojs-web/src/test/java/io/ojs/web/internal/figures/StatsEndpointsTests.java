package io.ojs.web.internal.figures;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ojs.internal.stats.MinuteStore;
import io.ojs.internal.stats.Stats;
import io.ojs.web.internal.Doubles;
import io.ojs.web.internal.HttpRequests;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many pages cost what one does.
 */
class StatsEndpointsTests {

	private static final Instant MINUTE = HttpRequests.CLOCK.instant()
		.minusSeconds(3600)
		.truncatedTo(ChronoUnit.MINUTES);

	private final List<MinuteStore.Query> asked = new CopyOnWriteArrayList<>();

	private final MinuteStore store = Doubles.of(MinuteStore.class,
			(method, arguments) -> this.asked.add((MinuteStore.Query) arguments[0]));

	private final HttpRequests requests = HttpRequests
		.forTenants(new StatsEndpoints(new Stats(this.store, null, HttpRequests.CLOCK)));

	@Test
	void pagesThatWereOpenedInTheSameMinuteShareAnAnswer() {
		for (int i = 0; i < 20; i++) {
			get(Map.of("since", MINUTE.plusSeconds(i).toString()), null);
		}
		assertThat(this.asked).singleElement().satisfies((query) -> assertThat(query.since()).isEqualTo(MINUTE));
	}

	@Test
	void otherQuestionsAndTenantsGetTheirOwn() {
		get(Map.of(), null);
		get(Map.of("queue", "mail"), null);
		get(Map.of("type", "mail"), null);
		get(Map.of("step", "600"), null);
		get(Map.of(), "acme");
		get(Map.of(), "rival");
		assertThat(this.asked).hasSize(6).extracting(MinuteStore.Query::tenant).contains("acme", "rival");
	}

	private void get(Map<String, String> query, @Nullable String tenant) {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", "/ojs/v1/stats");
		query.forEach(request::addParameter);
		if (tenant != null) {
			request.addHeader("X-OJS-Tenant", tenant);
		}
		assertThat(this.requests.send(request).getStatus()).isEqualTo(200);
	}

}
