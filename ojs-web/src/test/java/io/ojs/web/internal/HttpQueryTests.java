package io.ojs.web.internal;

import java.time.Instant;
import java.util.Map;

import io.ojs.web.HttpFailure;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Reading query parameters; an invalid one is refused by its name.
 */
class HttpQueryTests {

	@Test
	void missingOrEmptyTextIsNull() {
		assertThat(query("queue").string("queue")).isNull();
		assertThat(query("queue", "").string("queue")).isNull();
		assertThat(query("queue", "mail").string("queue")).isEqualTo("mail");
		assertThat(query("queue", "mail").string("type")).isNull();
	}

	@Test
	void repeatedParameterIsRefused() {
		refused(() -> query("queue", "mail", "pictures").string("queue"), "queue", "mail, pictures");
		refused(() -> query("limit", "1", "1").limit(), "limit", "more than once");
	}

	@Test
	void nulIsRefused() {
		refused(() -> query("queue", "a\0b").string("queue"), "queue", "U+0000");
		refused(() -> query("state", "active", "a\0b").strings("state"), "state", "U+0000");
	}

	@Test
	void listsAreSplitAtCommasAndMayBeRepeated() {
		assertThat(query("state", "active, available ,,active", "pending").strings("state")).containsExactly("active",
				"available", "pending");
		assertThat(query("state", "").strings("state")).isEmpty();
		assertThat(query("state").strings("type")).isEmpty();
	}

	@Test
	void repeatedValuesMayContainCommas() {
		assertThat(query("label", "a,b", "", "c", "a,b").each("label")).containsExactly("a,b", "c");
		assertThat(query("label").each("type")).isEmpty();
		refused(() -> query("label", "a\0b").each("label"), "label", "U+0000");
	}

	@Test
	void limitIsFromOneToTwoHundred() {
		assertThat(query("limit").limit()).isEqualTo(50);
		assertThat(query("limit", "").limit()).isEqualTo(50);
		assertThat(query("limit", "1").limit()).isEqualTo(1);
		assertThat(query("limit", "200").limit()).isEqualTo(200);
	}

	@ParameterizedTest
	@CsvSource({ "0, between 1 and 200", "201, between 1 and 200", "-1, between 1 and 200", "ten, whole number",
			"1.5, whole number", "9223372036854775808, whole number" })
	void anyOtherLimitIsRefused(String limit, String problem) {
		refused(() -> query("limit", limit).limit(), "limit", problem);
	}

	@Test
	void booleansAreTrueOrFalse() {
		assertThat(query("enabled", "true").bool("enabled")).isTrue();
		assertThat(query("enabled", "false").bool("enabled")).isFalse();
		assertThat(query("enabled").bool("enabled")).isFalse();
		for (String other : new String[] { "1", "yes", "TRUE" }) {
			refused(() -> query("enabled", other).bool("enabled"), "enabled", "true or false");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "2026-03-15T09:30:00Z", "2026-03-15T10:30:00+01:00", "2026-03-15T10:30:00 01:00" })
	void spaceInTheOffsetOfATimeIsAPlus(String text) {
		assertThat(query("since", text).time("since")).isEqualTo(Instant.parse("2026-03-15T09:30:00Z"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "2026-03-15T09:30:00", "2026-03-15", "yesterday" })
	void anyOtherTimeIsRefused(String text) {
		assertThat(query("since").time("since")).isNull();
		refused(() -> query("since", text).time("since"), "since", text);
	}

	private static HttpQuery query(String name, String... values) {
		return new HttpQuery(Map.of(name, values));
	}

	private static void refused(ThrowingCallable call, String field, String shown) {
		assertThatExceptionOfType(HttpFailure.class).isThrownBy(call).withMessageContaining(shown).satisfies((ex) -> {
			assertThat(ex.error().status()).isEqualTo(400);
			assertThat(ex.error().details()).containsEntry("field", field);
		});
	}

}
