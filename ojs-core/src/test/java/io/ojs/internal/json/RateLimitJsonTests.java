package io.ojs.internal.json;

import java.time.Duration;

import io.ojs.job.InvalidJobException;
import io.ojs.job.OnLimit;
import io.ojs.job.RateLimit;
import io.ojs.job.RateScope;
import io.ojs.job.RetryPriority;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Rate limits in JSON, as others write them too.
 */
class RateLimitJsonTests {

	private static RateLimit read(String json) {
		return RateLimitJson.read(JsonMapper.shared().readValue(json, Object.class), "mail");
	}

	@Test
	void whatIsWrittenIsRead() {
		RateLimit limit = RateLimit.of("stripe")
			.concurrency(5)
			.rate(100, Duration.ofMinutes(1))
			.throttle(10, Duration.ofSeconds(1))
			.onLimit(OnLimit.DROP)
			.scope(RateScope.GLOBAL)
			.retryPriority(RetryPriority.PREFER_RETRY);
		assertThat(RateLimitJson.read(RateLimitJson.write(limit), "mail")).isEqualTo(limit);
	}

	@Test
	void limitWithoutAKeyIsThatOfTheQueue() {
		assertThat(read("{\"max_per_second\": 1}")).isEqualTo(RateLimit.of("queue:mail").perSecond(1));
	}

	@Test
	void rateMayBeANumberWithAPeriodInWords() {
		assertThat(read("{\"key\": \"k\", \"rate\": 7, \"period\": \"minute\"}"))
			.isEqualTo(RateLimit.of("k").rate(7, Duration.ofMinutes(1)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{"key": 1, "concurrency": 1}                          | rate_limit.key
			{"key": "k", "concurency": 1}                         | rate_limit.concurency
			{"key": "k", "concurrency": -1}                       | rate_limit.concurrency
			{"key": "k", "rate": {"limit": 1}}                    | rate_limit.rate.period
			{"key": "k", "rate": {"limit": 1, "period": "1s"}}    | rate_limit.rate.period
			{"key": "k", "rate": 1, "period": "fortnight"}        | rate_limit.period
			{"key": "k", "period": "second", "concurrency": 1}    | rate_limit.period
			{"key": "k", "rate": 1, "max_per_second": 1}          | rate_limit.max_per_second
			{"key": "k", "concurrency": 1, "on_limit": "explode"} | rate_limit.on_limit
			{"key": "k", "concurrency": 1, "scope": "world"}      | rate_limit.scope
			{"key": "k", "concurrency": 1, "retry_priority": "x"} | rate_limit.retry_priority
			{"key": "k"}                                          | rate_limit
			""")
	void refusalNamesTheField(String json, String field) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> read(json))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field));
	}

	@Test
	void tenantsHaveCountsOfTheirOwnUnlessTheLimitSaysOtherwise() {
		RateLimit limit = RateLimit.of("stripe").concurrency(1);
		assertThat(limit.partition("acme")).isEqualTo("stripe@acme");
		assertThat(limit.scope(RateScope.TENANT).partition("acme")).isEqualTo("stripe@acme");
		assertThat(limit.scope(RateScope.GLOBAL).partition("acme")).isEqualTo("stripe");
		assertThat(limit.partition(null)).as("of nobody").isEqualTo("stripe");
		assertThat(limit.scope(RateScope.TENANT).partition(null)).as("of nobody").isEqualTo("stripe");
	}

	@Test
	void valueThatIsNoObjectIsRefused() {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> RateLimitJson.read("fast", "mail"))
			.withMessageContaining("rate_limit");
	}

}
