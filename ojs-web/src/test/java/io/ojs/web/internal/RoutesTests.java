package io.ojs.web.internal;

import java.util.Map;

import io.ojs.web.Access;
import io.ojs.web.HttpError;
import io.ojs.web.HttpFailure;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.server.PathContainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Which endpoint answers which request.
 */
class RoutesTests {

	private final Routes routes = new Routes().get("/v1/queues/{name}/config", Access.READ, answering())
		.get("/v1/queues/_default/config", Access.READ, answering())
		.put("/v1/queues/{name}/config", Access.ADMIN, answering())
		.post("/v1/jobs", Access.WRITE, answering())
		.getAtRoot("/health", Access.PUBLIC, answering());

	@ParameterizedTest
	@CsvSource({ "GET, /ojs/v1/queues/_default/config, /ojs/v1/queues/_default/config",
			"GET, /ojs/v1/queues/mail/config, /ojs/v1/queues/{name}/config",
			"HEAD, /ojs/v1/queues/mail/config, /ojs/v1/queues/{name}/config",
			"PUT, /ojs/v1/queues/mail/config, /ojs/v1/queues/{name}/config", "POST, /ojs/v1/jobs, /ojs/v1/jobs",
			"GET, /health, /health" })
	void pathWithFewerVariablesComesFirst(String method, String path, String found) {
		assertThat(match(method, path).route().path()).isEqualTo(found);
	}

	@Test
	void variablesAreDecodedAndEndAtSlashes() {
		assertThat(match("GET", "/ojs/v1/queues/a%20b%2Fc/config").variables()).isEqualTo(Map.of("name", "a b/c"));
		assertThat(match("POST", "/ojs/v1/jobs").variables()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/ojs/v1/nothing", "/ojs/v1/jobs/", "/ojs/v1/queues/a/b/config", "/v1/jobs", "/ojs/health",
			"/ojs/v1/JOBS" })
	void unknownPathIsNotFound(String path) {
		refused(() -> match("GET", path), 404, path);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			POST   | /ojs/v1/queues/mail/config     | GET, HEAD, PUT
			DELETE | /ojs/v1/queues/_default/config | GET, HEAD, PUT
			GET    | /ojs/v1/jobs                   | POST
			HEAD   | /ojs/v1/jobs                   | POST
			get    | /health                        | GET, HEAD
			""")
	void otherMethodsAreAnsweredWithAllow(String method, String path, String allowed) {
		HttpError error = refused(() -> match(method, path), 405, method);
		assertThat(error.headers()).containsEntry("Allow", allowed);
	}

	@Test
	void duplicateRouteIsRefused() {
		this.routes.put("/v1/jobs", Access.WRITE, answering());
		assertThatIllegalStateException().isThrownBy(() -> this.routes.post("/v1/jobs", Access.ADMIN, answering()))
			.withMessageContaining("POST /ojs/v1/jobs");
		assertThatIllegalStateException()
			.isThrownBy(() -> this.routes.forTenants().post("/v1/jobs", Access.ADMIN, answering()));
	}

	@Test
	void onlyRoutesAddedForTenantsKeepThemApart() {
		this.routes.forTenants().get("/v1/jobs/{id}", Access.READ, answering());
		this.routes.delete("/v1/jobs/{id}", Access.READ, answering());
		assertThat(match("GET", "/ojs/v1/jobs/1").route().tenants()).isTrue();
		assertThat(match("DELETE", "/ojs/v1/jobs/1").route().tenants()).isFalse();
		assertThat(match("POST", "/ojs/v1/jobs").route().tenants()).isFalse();
	}

	private static Endpoint answering() {
		return (call) -> HttpResult.noContent();
	}

	private Routes.Match match(String method, String path) {
		return this.routes.match(method, PathContainer.parsePath(path));
	}

	private static HttpError refused(ThrowingCallable call, int status, String shown) {
		HttpFailure failure = catchThrowableOfType(HttpFailure.class, call);
		assertThat(failure).hasMessageContaining(shown);
		assertThat(failure.error().status()).isEqualTo(status);
		return failure.error();
	}

}
