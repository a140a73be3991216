package io.ojs.boot;

import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.ojs.boot.HttpApi.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.test.web.servlet.MockMvc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Rules for the jobs of callers that have only the right to write, wherever they can name
 * a job.
 */
class HttpEnqueueRulesTests {

	private static final int DEFAULT_MAX = 10;

	private final WebApplicationContextRunner runner = HttpApi.RUNNER
		.withUserConfiguration(HttpSecurityTests.Secured.class);

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			/jobs       | %s
			/jobs/batch | {"jobs":[{"type":"a","args":[]},%s]}
			/workflows  | {"type":"chain","steps":[{"type":"a","args":[]},%s]}
			/workflows  | {"type":"batch","jobs":[{"type":"a","args":[]}],"callbacks":{"on_success":%s}}
			/cron       | {"name":"nightly","expression":"@daily","job_template":%s}
			""")
	void limitOfAQueueTakesTheRightToAdmin(String path, String body) {
		run((mvc) -> {
			String own = body.formatted(limited("{\"concurrency\":0}"));
			String named = body.formatted(limited("{\"key\":\"queue:emails\",\"concurrency\":0}"));
			for (String refused : new String[] { own, named }) {
				Answer answer = post(mvc, path, refused, "write");
				assertThat(answer.status()).isEqualTo(403);
				assertThat(answer.text("error.details.field")).isEqualTo("rate_limit.key");
			}
			assertThat(post(mvc, path, own, "both").status()).isEqualTo(201);
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "/jobs/batch|{\"jobs\":[%s]}",
			"/workflows|{\"type\":\"chain\",\"steps\":[%s]}", "/workflows|{\"type\":\"group\",\"jobs\":[%s]}" })
	void oneRequestMakesNoMoreNewQueuesThanItMay(String path, String body) {
		run((mvc) -> {
			Answer refused = post(mvc, path, body.formatted(jobs(DEFAULT_MAX + 1)), "write");
			assertThat(refused.status()).isEqualTo(422);
			assertThat(refused.at("error.code")).isEqualTo("INVALID_QUEUE");
			assertThat(queues(mvc)).doesNotContain("invented-");
			assertThat(post(mvc, path, body.formatted(jobs(DEFAULT_MAX)), "write").status()).isEqualTo(201);
			await().untilAsserted(() -> assertThat(queues(mvc)).contains("invented-0"));
		});
	}

	@Test
	void applicationSaysHowManyNewQueuesARequestMayMake() {
		run((mvc) -> {
			String batch = "{\"jobs\":[%s]}";
			assertThat(post(mvc, "/jobs/batch", batch.formatted(jobs(3)), "write").status()).isEqualTo(422);
			assertThat(post(mvc, "/jobs/batch", batch.formatted(jobs(2)), "write").status()).isEqualTo(201);
		}, "ojs.http.max-new-queues=2");
		run((mvc) -> assertThat(post(mvc, "/jobs", jobs(1), "write").status()).isEqualTo(422),
				"ojs.http.max-new-queues=0");
	}

	private void run(Consumer<MockMvc> test, String... properties) {
		this.runner.withPropertyValues(properties).run((context) -> {
			if (context.getStartupFailure() != null) {
				throw new AssertionError(context.getStartupFailure());
			}
			test.accept(HttpSecurityTests.mvc(context.getSourceApplicationContext()));
		});
	}

	private static Answer post(MockMvc mvc, String path, String body, String user) {
		return new Answer(HttpSecurityTests.send(mvc, "POST", "/ojs/v1" + path, body, user));
	}

	private static String queues(MockMvc mvc) {
		Answer answer = new Answer(HttpSecurityTests.send(mvc, "GET", "/ojs/v1/queues", "", "read"));
		assertThat(answer.status()).isEqualTo(200);
		return answer.body();
	}

	private static String limited(String limit) {
		return "{\"type\":\"a\",\"args\":[],\"options\":{\"queue\":\"emails\",\"rate_limit\":%s}}".formatted(limit);
	}

	/** Jobs for as many queues that do not exist. */
	private static String jobs(int count) {
		return IntStream.range(0, count)
			.mapToObj("{\"type\":\"a\",\"args\":[],\"options\":{\"queue\":\"invented-%d\"}}"::formatted)
			.collect(Collectors.joining(","));
	}

}
