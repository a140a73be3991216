package io.ojs.web.internal;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

import io.ojs.job.Job;
import io.ojs.job.JobBuilder;
import io.ojs.job.UndecodableJobException;
import io.ojs.web.HttpFailure;
import io.ojs.web.TenantAccess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Reading the path and the body of a request, and whose jobs it sees.
 */
class HttpCallTests {

	@ParameterizedTest
	@ValueSource(strings = { "", "[]", "\"text\"", "null", "{", "{} {}", "{\"a\":1,\"a\":2}", "{a:1}", "\u00ff" })
	void bodyThatIsNoObjectIsRefused(String body) {
		HttpCall call = call(body.getBytes(StandardCharsets.ISO_8859_1), null);
		assertThatExceptionOfType(UndecodableJobException.class).isThrownBy(call::body);
		assertThatExceptionOfType(UndecodableJobException.class).isThrownBy(call::fields);
	}

	@Test
	void optionalBodyMayBeMissing() {
		assertThat(call(new byte[0], null).bodyIfAny()).isEmpty();
		assertThat(call(new byte[0], null).fieldsIfAny().leftOver()).isEmpty();
		assertThat(call("{\"a\":1}", null).bodyIfAny()).containsEntry("a", 1);
		assertThatExceptionOfType(UndecodableJobException.class).isThrownBy(call("[]", null)::bodyIfAny);
		assertThatExceptionOfType(UndecodableJobException.class).isThrownBy(call("[]", null)::fieldsIfAny);
	}

	@Test
	void invalidFieldIsNamedWithItsPath() {
		HttpCall call = call("{\"filter\":{\"queue\":7}}", null);
		assertThatExceptionOfType(HttpFailure.class).isThrownBy(() -> call.fields().nested("filter").string("queue"))
			.satisfies((ex) -> {
				assertThat(ex.error().status()).isEqualTo(400);
				assertThat(ex.error().details()).containsEntry("field", "filter.queue");
			});
		assertThatExceptionOfType(HttpFailure.class).isThrownBy(() -> call.fieldsIfAny().refuseLeftOver("is unknown"))
			.matches((ex) -> "filter".equals(ex.error().details().get("field")));
	}

	@Test
	void pathVariableWithNulIsRefused() {
		assertThat(call("{}", null).path("id")).isEqualTo("a b/c");
		assertThatExceptionOfType(HttpFailure.class).isThrownBy(() -> call("{}", null).path("nul"))
			.matches((ex) -> ex.error().status() == 400)
			.matches((ex) -> "nul".equals(ex.error().details().get("field")));
		assertThatIllegalArgumentException().isThrownBy(() -> call("{}", null).path("name"))
			.withMessageContaining("name");
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-", value = { "-, -, true", "-, acme, true", "acme, acme, true", "acme, other, false",
			"acme, -, false", "acme, ACME, false" })
	void tenantSeesOnlyItsOwnJobs(@Nullable String tenant, @Nullable String owner, boolean seen) {
		JobBuilder job = Job.builder("019539a4-0000-7000-8000-000000000001", "a.b", "mail");
		Job owned = ((owner != null) ? job.meta(Map.of("tenant_id", owner)) : job).build();
		assertThat(call("{}", tenant).sees(owned)).isEqualTo(seen);
	}

	private static HttpCall call(String body, @Nullable String tenant) {
		return call(body.getBytes(StandardCharsets.UTF_8), tenant);
	}

	private static HttpCall call(byte[] body, @Nullable String tenant) {
		return new HttpCall(Map.of("id", "a b/c", "nul", "a\0b"), new HttpQuery(Map.of()), body, Map.of(), "req_1",
				Instant.EPOCH, tenant,
				new HttpCall.Caller(null, (access) -> false, () -> new TenantAccess.Scope(Set.of(), true)));
	}

}
