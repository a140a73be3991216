package io.ojs.web.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import io.ojs.web.Access;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Paging by cursor, by offset and by number.
 */
class PageTests {

	private static final List<Integer> ALL = IntStream.range(0, 120).boxed().toList();

	private final HttpRequests requests = HttpRequests.of((routes) -> routes.get("/v1/list", Access.READ, (call) -> {
		Page page = Page.of(call);
		return HttpResult.ok(page.body("items", page.of(ALL), ALL.size()));
	}).get("/v1/numbered", Access.READ, (call) -> {
		Page page = Page.numbered(call);
		return HttpResult.ok(page.body("items", page.of(ALL), ALL.size()));
	}));

	@ParameterizedTest
	@CsvSource(nullValues = "-",
			value = { "'', 0, 50, 50", "limit=200, 0, 120, -", "limit=120, 0, 120, -", "limit=119, 0, 119, 119",
					"limit=1, 0, 1, 1", "offset=100, 100, 20, -", "cursor=100&limit=10, 100, 10, 110",
					"offset=120, 120, 0, -", "offset=1000000, 1000000, 0, -" })
	void nextCursorIsThereUntilTheListEnds(String query, int offset, int items, @Nullable String next) {
		Map<String, @Nullable Object> body = HttpRequests.body(get("/ojs/v1/list", query));
		assertThat((List<?>) body.get("items")).hasSize(items);
		Map<?, ?> pagination = (Map<?, ?>) body.get("pagination");
		assertThat(pagination.get("total")).isEqualTo(120);
		assertThat(pagination.get("offset")).isEqualTo(offset);
		assertThat(pagination.get("has_more")).isEqualTo(next != null);
		assertThat(pagination.get("next_cursor")).isEqualTo(next);
	}

	@Test
	void cursorsVisitEachItemOnce() {
		List<Object> seen = new ArrayList<>();
		Object cursor = "0";
		while (cursor != null) {
			Map<String, @Nullable Object> body = HttpRequests.body(get("/ojs/v1/list", "limit=7&cursor=" + cursor));
			seen.addAll((List<?>) Objects.requireNonNull(body.get("items")));
			cursor = ((Map<?, ?>) Objects.requireNonNull(body.get("pagination"))).get("next_cursor");
		}
		assertThat(seen).isEqualTo(ALL);
	}

	@ParameterizedTest
	@CsvSource({ "'', 1, 20, true, 0", "page=6, 6, 20, false, 100", "page=7, 7, 0, false, -1",
			"page=2&per_page=100, 2, 20, false, 100", "page=1&per_page=100, 1, 100, true, 0",
			"page=120&per_page=1, 120, 1, false, 119", "page=1000000&per_page=1, 1000000, 0, false, -1" })
	void pagesAreNumberedFromOne(String query, int page, int items, boolean more, int first) {
		Map<String, @Nullable Object> body = HttpRequests.body(get("/ojs/v1/numbered", query));
		List<?> shown = (List<?>) body.get("items");
		assertThat(shown).hasSize(items);
		assertThat(shown.isEmpty() ? -1 : shown.get(0)).isEqualTo(first);
		Map<?, ?> pagination = (Map<?, ?>) body.get("pagination");
		assertThat(pagination.get("page")).isEqualTo(page);
		assertThat(pagination.get("has_more")).isEqualTo(more);
		assertThat(pagination.containsKey("next_cursor")).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "list, limit=0, limit", "list, limit=201, limit", "list, offset=-1, offset",
			"list, offset=1000001, offset", "list, cursor=1000001, cursor", "list, cursor=abc, cursor",
			"list, cursor=1&offset=1, offset", "numbered, page=0, page", "numbered, per_page=0, per_page",
			"numbered, per_page=101, per_page", "numbered, page=50001, page",
			"numbered, page=10001&per_page=100, page" })
	void valuesOutOfRangeAreRefused(String path, String query, String field) {
		MockHttpServletResponse response = get("/ojs/v1/" + path, query);
		assertThat(response.getStatus()).isEqualTo(400);
		assertThat(HttpRequests.details(response).get("field")).isEqualTo(field);
	}

	private MockHttpServletResponse get(String path, String query) {
		Map<String, String> parameters = new LinkedHashMap<>();
		for (String parameter : query.isEmpty() ? new String[0] : query.split("&")) {
			parameters.put(parameter.split("=")[0], parameter.split("=")[1]);
		}
		return this.requests.get(path, parameters);
	}

}
