package io.ojs.boot;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import io.ojs.boot.HttpApi.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The search for jobs over HTTP, in a store.
 */
class HttpJobSearchTests {

	@RegisterExtension
	static final HttpApi.Kept kept = new HttpApi.Kept();

	private static final String LABELS = "ojs.store.labels=customer";

	private static String push(HttpApi api, String type, String more) {
		return api.post("/ojs/v1/jobs", "{\"type\":\"%s\",\"args\":[]%s}".formatted(type, more)).text("job.id");
	}

	private static List<?> ids(Answer answer) {
		return ((List<?>) answer.at("items")).stream().map((item) -> ((Map<?, ?>) item).get("id")).toList();
	}

	private static Answer search(HttpApi api, String name, String value) {
		return api.get("/ojs/v1/jobs?" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
	}

	@Test
	void jobsAreFoundByWhatPeopleKnowOfThem() {
		HttpApi.open((api) -> {
			String one = push(api, "mail.send",
					",\"meta\":{\"customer\":\"4,711\"},\"options\":{\"queue\":\"a\",\"tags\":[\"urgent\"]}");
			String two = push(api, "mail.read", ",\"options\":{\"queue\":\"b\",\"pending\":true}");
			Answer all = api.get("/ojs/v1/jobs");
			assertThat(all.status()).isEqualTo(200);
			assertThat(ids(all)).isEqualTo(List.of(two, one));
			assertThat(all.at("pagination.has_more")).isEqualTo(false);
			assertThat(all.at("pagination.total")).isNull();
			assertThat(all.at("searched.complete")).isEqualTo(true);
			assertThat(all.at("items[1].labels")).isEqualTo(List.of("#urgent", "customer=4,711"));
			assertThat(all.at("items[1].state")).isEqualTo("available");
			assertThat(all.at("items[1].encrypted")).isEqualTo(false);
			assertThat(all.at("items[1].created_at")).isNotNull();
			assertThat(all.at("items[1].args")).isNull();
			assertThat(api.get("/ojs/v1/jobs/" + one).at("job.labels")).isEqualTo(List.of("#urgent", "customer=4,711"));
			assertThat(api.get("/ojs/v1/admin/jobs/" + one).at("labels"))
				.isEqualTo(List.of("#urgent", "customer=4,711"));
			assertThat(api.get("/ojs/v1/jobs/" + two).at("job.labels")).isEqualTo(List.of());
			for (String[] found : new String[][] { { "id", one }, { "queue", "a" }, { "type", "mail.send" },
					{ "state", "available,active" }, { "label", "#urgent" }, { "label", "customer=4,711" } }) {
				assertThat(ids(search(api, found[0], found[1]))).as(found[0]).isEqualTo(List.of(one));
			}
			assertThat(api.get("/ojs/v1/jobs?label=%23urgent&label=customer%3D1").at("items")).isEqualTo(List.of());
		}, LABELS);
	}

	@Test
	void cursorGoesOnWhereThePageEnds() {
		HttpApi.open((api) -> {
			String one = push(api, "a", "");
			String two = push(api, "a", "");
			String three = push(api, "a", "");
			Answer page = api.get("/ojs/v1/jobs?limit=2");
			assertThat(ids(page)).isEqualTo(List.of(three, two));
			assertThat(page.at("pagination.has_more")).isEqualTo(true);
			assertThat(page.at("searched.back_to")).isNotNull();
			push(api, "a", "");
			Answer next = api.get("/ojs/v1/jobs?limit=2&cursor=" + page.text("pagination.next_cursor"));
			assertThat(ids(next)).isEqualTo(List.of(one));
			assertThat(next.at("pagination.has_more")).isEqualTo(false);
		});
	}

	@ParameterizedTest
	@CsvSource({ "id,xyz", "queue,A", "type,A", "state,exploded", "label,urgent", "label,#", "label,=x",
			"since,yesterday", "until,0", "cursor,1", "limit,201", "limit,0", "workflow_id,1" })
	void otherValuesAreRefusedByTheirName(String name, String value) {
		HttpApi api = kept.api();
		refused(search(api, name, value), name);
	}

	@Test
	void hostileValuesAreRefusedOrFindNothing() {
		HttpApi.open((api) -> {
			push(api, "a", ",\"options\":{\"tags\":[\"t\"]}");
			for (String name : List.of("id", "queue", "type", "label", "error_type", "error", "tenant", "cursor")) {
				refused(search(api, name, "a\0b"), name);
			}
			for (String name : List.of("label", "error_type", "error")) {
				refused(search(api, name, "#" + "x".repeat(500)), name);
			}
			for (String value : List.of("%", "_", "!", "\"", "\\", "' or '1'='1", "<script>", "\u202e", "#%", "#_",
					"#!", "#' or 1=1 --", "#\ud83d\ude00")) {
				for (String name : List.of("label", "error_type", "error", "tenant")) {
					Answer answer = search(api, name, value);
					if (answer.status() == 400) {
						refused(answer, name);
					}
					else {
						assertThat(answer.status()).as(name + "=" + value).isEqualTo(200);
						assertThat(answer.at("items")).as(name + "=" + value).isEqualTo(List.of());
					}
				}
			}
		});
	}

	private static void refused(Answer answer, String name) {
		assertThat(answer.status()).as(name).isEqualTo(400);
		assertThat(answer.at("error.details.field")).isEqualTo(name);
	}

}
