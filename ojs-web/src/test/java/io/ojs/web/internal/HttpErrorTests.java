package io.ojs.web.internal;

import java.util.Map;

import io.ojs.web.HttpError;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The body of an error (OJS HTTP Binding §16.1).
 */
class HttpErrorTests {

	private static final HttpError ERROR = HttpError.of(409, "conflict", "conflict", "It has ended.");

	@Test
	void bodyHasTheRequiredFields() {
		Map<?, ?> error = body(ERROR);
		assertThat(error.get("code")).isEqualTo("conflict");
		assertThat(error.get("type")).isEqualTo("conflict");
		assertThat(error.get("message")).isEqualTo("It has ended.");
		assertThat(error.get("retryable")).isEqualTo(false);
		assertThat(error.get("request_id")).isEqualTo("req_1");
		assertThat(error.get("docs_url")).asString().startsWith("https://");
		assertThat(error.containsKey("hint")).isFalse();
		assertThat(error.containsKey("details")).isFalse();
	}

	@Test
	void hintAndDetailsAreOptional() {
		Map<?, ?> error = body(ERROR.hint("Look at it first.").detail("job_id", "1").detail("state", null));
		assertThat(error.get("hint")).isEqualTo("Look at it first.");
		assertThat(((Map<?, ?>) error.get("details")).get("job_id")).isEqualTo("1");
		assertThat(((Map<?, ?>) error.get("details")).containsKey("state")).isTrue();
	}

	@Test
	void retryableErrorHasRetryAfter() {
		HttpResult result = HttpErrors
			.result(ERROR.detail("job_id", "1").header("X-Own", "1").retryAfter(7).hint("Wait."), "req_1");
		assertThat(result.status()).isEqualTo(409);
		assertThat(result.headers()).isEqualTo(Map.of("X-Own", "1", "Retry-After", "7"));
		Map<?, ?> error = body(ERROR.detail("job_id", "1").hint("Wait.").retryAfter(7));
		assertThat(error.get("hint")).isEqualTo("Wait.");
		assertThat(error.get("retryable")).isEqualTo(true);
		assertThat(error.get("details")).isEqualTo(Map.of("job_id", "1"));
	}

	private static Map<?, ?> body(HttpError error) {
		Map<String, ?> body = HttpErrors.result(error, "req_1").body();
		assertThat(body).containsOnlyKeys("error");
		return (Map<?, ?>) body.get("error");
	}

}
