package io.ojs.deadletter;

import java.time.Clock;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.ojs.deadletter.internal.StoreDeadLetters;
import io.ojs.job.InvalidJobException;
import io.ojs.retry.RetryOverrides;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What can be asked of dead letters, and how it is said what cannot.
 */
class DeadLetterRequestsTests {

	private static final Instant NOON = Instant.parse("2026-03-15T12:00:00Z");

	private static final String ID = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";

	/** Rejects a filter before it asks the database. */
	private static final DeadLetters STORE = new StoreDeadLetters(null, null, null, null, 0, Clock.systemUTC(), null);

	@ParameterizedTest
	@ValueSource(strings = { "email.send", "email.*", "email" })
	void takesTypesAndPrefixes(String type) {
		assertThat(DeadLetterFilter.ANY.type(type).type()).isEqualTo(type);
	}

	@ParameterizedTest
	@ValueSource(strings = { "*", "Email", "email*", "em*il.*", "email.send'--" })
	void typesThatNoJobHasAreThoseOfMessagesAtTheBroker(String type) {
		DeadLetterFilter filter = DeadLetterFilter.ANY.type(type);
		assertThat(filter.type()).isEqualTo(type);
		refused("filter.type", () -> STORE.list(filter, 1));
	}

	@Test
	void idsThatNoJobHasAreThoseOfMessagesAtTheBroker() {
		DeadLetterFilter filter = DeadLetterFilter.ANY.ids(Set.of("Order-17"));
		assertThat(filter.ids()).containsExactly("order-17");
		refused("filter.ids", () -> STORE.list(filter, 1));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", ".*", "a\u0000b", "a\nb" })
	void refusesTypesAndIdsThatNoMessageHas(String value) {
		refused("filter.type", () -> DeadLetterFilter.ANY.type(value));
		refused("filter.ids", () -> DeadLetterFilter.ANY.ids(Set.of(value)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", ".*", "a\u0000b", "a\nb" })
	void refusesErrorTypesThatNoErrorHas(String type) {
		refused("filter.error_type", () -> DeadLetterFilter.ANY.errorType(type));
		refused("filter.error_code", () -> DeadLetterFilter.ANY.errorCode(type));
		refused("filter.stack_hash", () -> DeadLetterFilter.ANY.stackHash(type));
	}

	@Test
	void refusesErrorTypesThatAreTooLong() {
		assertThat(DeadLetterFilter.ANY.errorType("x".repeat(255)).errorType()).hasSize(255);
		refused("filter.error_type", () -> DeadLetterFilter.ANY.errorType("x".repeat(256)));
	}

	@Test
	void refusesQueuesAndIdsThatBreakTheRules() {
		refused("filter.queue", () -> DeadLetterFilter.ANY.queue("Billing"));
		refused("filter.ids", () -> DeadLetterFilter.ANY.ids(Set.of()));
		refused("filter.ids",
				() -> DeadLetterFilter.ANY.ids(IntStream.rangeClosed(0, DeadLetterFilter.MAX_IDS)
					.mapToObj("019461a8-1a2b-7c3d-8e4f-%012x"::formatted)
					.collect(Collectors.toSet())));
		assertThat(DeadLetterFilter.ANY.ids(Set.of(ID.toUpperCase(Locale.ROOT))).ids()).containsExactly(ID);
	}

	@Test
	void refusesTimesThatNothingCanBeIn() {
		refused("filter.until", () -> DeadLetterFilter.ANY.since(NOON).until(NOON));
		assertThat(DeadLetterFilter.ANY.since(NOON).until(NOON.plusNanos(1000)).since()).isEqualTo(NOON);
	}

	@ParameterizedTest
	@ValueSource(doubles = { 0, -1, 0.0009, 100_001, Double.NaN, Double.POSITIVE_INFINITY })
	void refusesRates(double rate) {
		refused("rate", () -> ReplayOptions.CONFIRMED.rate(rate));
	}

	@Test
	void refusesNumbersOfAttempts() {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> ReplayOverrides.NONE.maxAttempts(-1))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("retry.max_attempts"));
		assertThat(ReplayOverrides.NONE.maxAttempts(0).retry()).isEqualTo(RetryOverrides.NONE.maxAttempts(0));
		assertThat(ReplayOverrides.NONE.retry(RetryOverrides.NONE.jitter(false)).maxAttempts(2).retry())
			.isEqualTo(RetryOverrides.NONE.jitter(false).maxAttempts(2));
	}

	@Test
	void refusesLimits() {
		refused("limit", () -> ReplayOptions.CONFIRMED.limit(0));
		assertThat(ReplayOptions.CONFIRMED.limit(1).limit()).isEqualTo(1);
	}

	@Test
	void cursorsAreReadAsTheyWereWritten() {
		DeadLetterCursor cursor = new DeadLetterCursor(NOON.plusNanos(123_456_000), ID);
		assertThat(DeadLetterCursor.parse(cursor.toString())).isEqualTo(cursor);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "_", "2026-03-15T12:00:00Z", "2026-03-15T12:00:00Z_", "yesterday_" + ID,
			"2026-03-15T12:00:00Z_17" })
	void refusesCursorsThatNobodyWrote(String cursor) {
		refused("cursor", () -> DeadLetterCursor.parse(cursor));
	}

	@Test
	void whatReplaysCountIsNotSet() {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> ReplayOverrides.NONE.meta("ojs.replay_count", 0))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("meta.ojs.replay_count"));
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> ReplayOverrides.NONE.queue("Billing"))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("queue"));
	}

	private static void refused(String field, ThrowingCallable request) {
		assertThatExceptionOfType(InvalidDeadLetterRequestException.class).isThrownBy(request)
			.withMessageContaining("'" + field + "'")
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field));
	}

}
