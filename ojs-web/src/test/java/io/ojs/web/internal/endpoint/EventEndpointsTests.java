package io.ojs.web.internal.endpoint;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;

import io.ojs.event.EventFeed;
import io.ojs.event.EventPage;
import io.ojs.event.StoredEvent;
import io.ojs.web.TenantAccess;
import io.ojs.web.internal.Doubles;
import io.ojs.web.internal.HttpRequests;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reading the feed of events page by page.
 */
class EventEndpointsTests {

	private static final String EVENTS = "/ojs/v1/events";

	private List<@Nullable Object> asked = List.of();

	/** Events at the positions 1 to 120. */
	private final EventFeed feed = Doubles.of(EventFeed.class, (method, arguments) -> {
		this.asked = Arrays.asList(arguments);
		long last = Math.max((Long) arguments[0], Math.min((Long) arguments[0] + (Integer) arguments[4], 120));
		return new EventPage(LongStream.rangeClosed((Long) arguments[0] + 1, last)
			.mapToObj((i) -> new StoredEvent(i, "evt_" + i, "job.completed", "ojs", HttpRequests.CLOCK.instant(), "1",
					"mail", null, Map.of()))
			.toList(), last, last < 120);
	});

	private final HttpRequests requests = HttpRequests.forTenants(new EventEndpoints(this.feed));

	@ParameterizedTest
	@CsvSource({ "0, 50, 50, true, 50", "50, 50, 50, true, 100", "100, 50, 20, false, 120", "120, 50, 0, false, 120",
			"500, 50, 0, false, 500", "0, 1000, 120, false, 120" })
	void cursorIsThePositionOfTheLastEvent(String after, String limit, int events, boolean more, String next) {
		Map<String, @Nullable Object> body = HttpRequests
			.body(this.requests.get(EVENTS, Map.of("after", after, "limit", limit)));
		assertThat((List<?>) body.get("events")).hasSize(events);
		Map<?, ?> pagination = (Map<?, ?>) Objects.requireNonNull(body.get("pagination"));
		assertThat(pagination.get("has_more")).isEqualTo(more);
		assertThat(pagination.get("next_cursor")).isEqualTo(next);
	}

	@Test
	void readerChoosesTypesAndQueues() {
		this.requests.get(EVENTS, Map.of());
		assertThat(this.asked).containsExactly(0L, Set.of(), Set.of(), null, 50);
		this.requests.get(EVENTS, Map.of("types", "job.completed,job.failed", "queues", "mail"));
		assertThat(this.asked).containsExactly(0L, Set.of("job.completed", "job.failed"), Set.of("mail"), null, 50);
	}

	@Test
	void tenantReadsOnlyItsEvents() {
		this.requests.send("GET", EVENTS, null, Map.of(TenantAccess.HEADER, "acme"));
		assertThat(this.asked).containsExactly(0L, Set.of(), Set.of(), "acme", 50);
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '|',
			value = { "limit, 0", "limit, 1001", "after, -1", "after, x",
					"types, |1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21|",
					"queues, |1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21|" })
	void valuesOutOfRangeAreRefused(String parameter, String value) {
		MockHttpServletResponse response = this.requests.get(EVENTS, Map.of(parameter, value));
		assertThat(response.getStatus()).isEqualTo(400);
		assertThat(HttpRequests.details(response).get("field")).isEqualTo(parameter);
		assertThat(this.asked).isEmpty();
	}

}
