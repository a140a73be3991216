package io.ojs.web.internal;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.multipart.MultipartException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An upload below {@code /ojs} that Spring MVC cannot read is answered with an error of
 * OJS.
 */
class OjsExceptionResolverTests {

	private static final MultipartException UNREADABLE = new MultipartException("No boundary");

	private final OjsExceptionResolver resolver = new OjsExceptionResolver(HttpRequests.handler((routes) -> {
	}));

	private final MockHttpServletResponse response = new MockHttpServletResponse();

	@ParameterizedTest
	@ValueSource(strings = { "/ojs/v1/jobs", "/ojs/nothing" })
	void uploadIsRefused(String path) {
		MockHttpServletRequest request = new MockHttpServletRequest("POST", path);
		request.setContentType("multipart/form-data");
		assertThat(this.resolver.resolveException(request, this.response, null, UNREADABLE)).isNotNull()
			.matches((view) -> view.isEmpty());
		assertThat(this.response.getStatus()).isEqualTo(415);
		Map<?, ?> error = HttpRequests.error(this.response);
		assertThat(error.get("message")).asString().contains("multipart/form-data");
		assertThat(error.get("request_id")).isEqualTo(this.response.getHeader("X-Request-Id"));
	}

	@Test
	void uploadsToOtherPathsAreLeftToTheApplication() {
		untouched("/upload", UNREADABLE);
		untouched("/ojs-upload", UNREADABLE);
	}

	@Test
	void otherExceptionsAreLeftToTheApplication() {
		untouched("/ojs/v1/jobs", new IllegalStateException("Something else"));
	}

	private void untouched(String path, Exception failure) {
		assertThat(
				this.resolver.resolveException(new MockHttpServletRequest("POST", path), this.response, null, failure))
			.isNull();
		assertThat(this.response.getStatus()).isEqualTo(200);
		assertThat(this.response.getContentAsByteArray()).isEmpty();
	}

}
