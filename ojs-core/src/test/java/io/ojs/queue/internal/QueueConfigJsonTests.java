package io.ojs.queue.internal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import io.ojs.queue.InvalidQueueConfigException;
import io.ojs.queue.OverflowPolicy;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueRateLimit;
import io.ojs.queue.QueueRetention;
import io.ojs.retry.OnExhaustion;
import io.ojs.retry.RetryOverrides;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A queue's configuration in JSON and back: every field of OJS Queue Configuration §6,
 * and an error that names what is wrong with it.
 */
class QueueConfigJsonTests {

	private static final String EVERY_FIELD = """
			{"max_size":100000,"max_size_bytes":5000000000,"overflow_policy":"drop_oldest","concurrency":20,\
			"rate_limit":{"limit":100,"period":"PT1M"},"visibility_timeout":300,"default_timeout":1800,\
			"default_retry":{"max_attempts":5,"initial_interval":"PT5S","backoff_coefficient":3.0,"max_interval":"PT1H",\
			"jitter":true,"non_retryable_errors":["a.*"],"on_exhaustion":"discard","backoff_strategy":"linear"},\
			"retention":{"completed":"P3D","discarded":"P30D","cancelled":"PT1H"},"dead_letter_queue":"payments-dlq",\
			"dead_letter_max_size":10,"dead_letter_ttl":"P30D","allowed_job_types":["payment.*"],"producers":["web"]}""";

	private final QueueConfigJson json = new QueueConfigJson();

	@Test
	void everyFieldIsReadAndWritten() {
		QueueConfig config = read(EVERY_FIELD);
		assertThat(config.maxSizeBytes()).isEqualTo(5_000_000_000L);
		assertThat(config.overflowPolicy()).isEqualTo(OverflowPolicy.DROP_OLDEST);
		assertThat(config.rateLimit()).isEqualTo(new QueueRateLimit(100, Duration.ofMinutes(1)));
		assertThat(config.visibilityTimeout()).isEqualTo(Duration.ofMinutes(5));
		assertThat(config.defaultRetry()).extracting(RetryOverrides::onExhaustion).isEqualTo(OnExhaustion.DISCARD);
		assertThat(config.retention())
			.isEqualTo(QueueRetention.DEFAULT.completed(Duration.ofDays(3)).cancelled(Duration.ofHours(1)));
		assertThat(config.allowedJobTypes()).isEqualTo(List.of("payment.*"));
		assertThat(new String(this.json.write(config), StandardCharsets.UTF_8)).isEqualTo(EVERY_FIELD);
	}

	@Test
	void nothingIsSaidByAnEmptyObjectAndByNulls() {
		assertThat(read("{}")).isEqualTo(QueueConfig.NONE);
		assertThat(read("{\"max_size\":null,\"retention\":null}")).isEqualTo(QueueConfig.NONE);
		assertThat(new String(this.json.write(QueueConfig.NONE), StandardCharsets.UTF_8)).isEqualTo("{}");
	}

	@Test
	@Tag("QC-6.3-2")
	@Tag("QC-6.4-3")
	void theDefaultsAreThoseOfTheSpecification() {
		assertThat(new String(this.json.write(QueueConfig.DEFAULT), StandardCharsets.UTF_8)).isEqualTo("""
				{"max_size":0,"max_size_bytes":0,"overflow_policy":"reject","default_timeout":1800,\
				"default_retry":{"max_attempts":3,"initial_interval":"PT1S","backoff_coefficient":2.0,\
				"max_interval":"PT5M","jitter":true,"non_retryable_errors":[],"on_exhaustion":"dead_letter",\
				"backoff_strategy":"exponential"},"retention":{"completed":"P7D","discarded":"P30D","cancelled":"P7D"},\
				"dead_letter_max_size":0,"dead_letter_ttl":"P30D","allowed_job_types":["*"],"producers":["*"]}""");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '\0',
			textBlock = """
					{"max_sise":1}                          | max_sise                     | is no field of a queue's configuration
					{"retention":{"complete":"P1D"}}        | retention.complete           | use one of completed, discarded, cancelled
					{"default_retry":{"max_attempt":1}}     | default_retry.max_attempt    | is no field
					{"max_size":"many"}                     | max_size                     | must be an integer, but was "many"
					{"max_size":1.5}                        | max_size                     | must be an integer, but was 1.5
					{"max_size":-1}                         | max_size                     | must be 0 or more
					{"max_size_bytes":99999999999999999999} | max_size_bytes               | must fit into 64 bits
					{"overflow_policy":"drop"}              | overflow_policy              | must be one of reject, drop_oldest, block, but was "drop"
					{"concurrency":0}                       | concurrency                  | must be 1 or more, but was 0
					{"concurrency":3000000000}              | concurrency                  | must fit into 32 bits
					{"rate_limit":7}                        | rate_limit                   | must be an object
					{"rate_limit":{"limit":1}}              | rate_limit.period            | is required
					{"rate_limit":{"limit":0,"period":"PT1S"}} | rate_limit.limit          | must be 1 or more
					{"rate_limit":{"limit":1,"period":"PT0S"}} | rate_limit.period         | must be longer than zero
					{"visibility_timeout":0}                | visibility_timeout           | must be at least a second
					{"default_timeout":"PT1M"}              | default_timeout              | must be an integer, but was "PT1M"
					{"default_retry":{"backoff_coefficient":0.5}} | default_retry.backoff_coefficient | must be 1.0 or more
					{"default_retry":{"on_exhaustion":"no"}}| default_retry.on_exhaustion  | must be dead_letter or discard
					{"default_retry":{"initial_interval":"PT2M","max_interval":"PT1M"}} | default_retry.max_interval | must not be shorter
					{"retention":{"completed":"7d"}}        | retention.completed          | must be an ISO 8601 duration
					{"retention":{"completed":"P1M"}}       | retention.completed          | must be an ISO 8601 duration
					{"retention":{"cancelled":"-P1D"}}      | retention.cancelled          | must not be negative
					{"dead_letter_queue":"Pay Ments"}       | dead_letter_queue            | must be the name of a queue
					{"dead_letter_ttl":5}                   | dead_letter_ttl              | must be a string
					{"allowed_job_types":"x"}               | allowed_job_types            | must be an array of strings
					{"allowed_job_types":[1]}               | allowed_job_types            | must be an array of strings
					{"producers":[]}                        | producers                    | must have an element
					{"producers":[" "]}                     | producers                    | must not have an empty element
					[]                                      | config                       | must be a JSON object
					{                                       | config                       | must be a JSON object
					""")
	void anErrorNamesTheFieldTheValueAndTheFix(String text, String field, String problem) {
		assertThatExceptionOfType(InvalidQueueConfigException.class).isThrownBy(() -> read(text))
			.withMessageContaining("'" + field + "'")
			.withMessageContaining(problem)
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field));
	}

	private QueueConfig read(String text) {
		return this.json.read(text.getBytes(StandardCharsets.UTF_8));
	}

}
