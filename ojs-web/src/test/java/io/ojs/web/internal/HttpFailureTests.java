package io.ojs.web.internal;

import io.ojs.store.StoreException;
import io.ojs.web.HttpError;
import io.ojs.web.HttpFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Codes and messages of refusals.
 */
class HttpFailureTests {

	@ParameterizedTest
	@CsvSource({ "400, INVALID_PAYLOAD", "401, PERMISSION_DENIED", "403, PERMISSION_DENIED", "404, NOT_FOUND",
			"405, INVALID_PAYLOAD", "409, INVALID_STATE_TRANSITION", "413, PAYLOAD_TOO_LARGE", "415, INVALID_PAYLOAD",
			"422, INVALID_PAYLOAD", "429, RATE_LIMITED" })
	void codeFollowsFromTheStatus(int status, String code) {
		assertThat(new HttpFailure(HttpError.of(status, "a", "b", "c")).code()).isEqualTo(code);
	}

	@Test
	void foreignTextIsEscapedAndTruncated() {
		HttpFailure invalid = HttpFailure.invalid("li\nmit", "1\u001b[31m" + "x".repeat(10_000), "must be a number");
		assertThat(invalid).hasMessageStartingWith("'li\\nmit' must be a number, but was \"1\\u001b[31mxxx");
		assertThat(invalid.getMessage()).hasSizeLessThan(300);
		assertThat(HttpFailure.notFound("dead_letter_job", "x\r\n" + "y".repeat(10_000)))
			.hasMessageContaining("x\\r\\ny")
			.hasMessageStartingWith("There is no dead letter job '")
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(300));
		assertThat(HttpErrors.noEndpoint("/ojs/\u0007" + "z".repeat(10_000), HttpOptions.ALL_THERE).getMessage())
			.contains("/ojs/\\u0007z")
			.hasSizeLessThan(300);
		assertThat(HttpErrors.methodNotAllowed("x".repeat(10_000), "GET").getMessage()).hasSizeLessThan(100);
		assertThat(HttpErrors.unsupportedMediaType("a\nb").getMessage()).contains("a\\nb");
	}

	@Test
	void missingValueIsCalledMissing() {
		assertThat(HttpFailure.invalid("queues", null, "is required"))
			.hasMessage("'queues' is required, but was missing.");
	}

	@Test
	void messageOfTheDatabaseIsHidden() {
		assertThat(HttpErrors.told(new StoreException("select * from ojs_job", null)))
			.contains("The database cannot be reached")
			.doesNotContain("ojs_job");
		assertThat(HttpErrors.told(HttpFailure.conflict("It has ended."))).isEqualTo("It has ended.");
	}

}
