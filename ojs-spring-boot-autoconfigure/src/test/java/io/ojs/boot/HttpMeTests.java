package io.ojs.boot;

import java.util.List;
import java.util.Map;

import io.ojs.boot.HttpApi.Answer;
import io.ojs.internal.process.ThisProcess;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the API tells a caller about itself and the application.
 */
class HttpMeTests {

	@Test
	void anonymousCallerHasAllRightsButTheCodecs() {
		HttpApi.open((api) -> {
			Answer me = api.get("/ojs/v1/me");
			assertThat(me.status()).isEqualTo(200);
			assertThat(me.at("caller")).isNull();
			assertThat(me.at("rights")).isEqualTo(List.of("read", "write", "admin"));
			assertThat(me.at("tenants.enabled")).isEqualTo(false);
			assertThat(me.at("tenants.current")).isNull();
			assertThat(me.at("tenants.all")).isEqualTo(true);
			assertThat(me.text("now")).endsWith("Z");
			assertThat(me.text("ojs_version")).isNotEmpty();
		});
	}

	@Test
	void featuresAreThoseThatHaveEndpoints() {
		HttpApi.open((api) -> assertThat((List<?>) api.get("/ojs/v1/me").at("features")).extracting(String::valueOf)
			.contains("store", "broker", "cron", "workflows", "rate-limits")
			.doesNotContain("webhooks", "tenants", "codec"));
		HttpApi.open((api) -> assertThat((List<?>) api.get("/ojs/v1/me").at("features")).extracting(String::valueOf)
			.contains("store", "webhooks", "tenants"), "ojs.tenancy.enabled=true", "ojs.webhooks.enabled=true");
	}

	@Test
	void applicationAndProcessAreNamed() {
		HttpApi.RUNNER
			.withPropertyValues("ojs.http.allow-anonymous=true", "spring.application.name=gallery",
					"spring.application.version=2.4.0")
			.run((context) -> {
				Answer me = HttpApi.of(context.getSourceApplicationContext()).get("/ojs/v1/me");
				assertThat(me.at("application")).isEqualTo("gallery");
				assertThat(me.at("application_version")).isEqualTo("2.4.0");
				assertThat(me.at("process")).isEqualTo(context.getBean(ThisProcess.class).id());
			});
	}

	@Test
	void tenantIsTheOneThatTheHeaderNames() {
		HttpApi.open((api) -> {
			Answer me = api.send("GET", "/ojs/v1/me", null, Map.of("X-OJS-Tenant", "acme"));
			assertThat(me.at("tenants.enabled")).isEqualTo(true);
			assertThat(me.at("tenants.current")).isEqualTo("acme");
			assertThat(api.send("GET", "/ojs/v1/me", null, Map.of("X-OJS-Tenant", "no tenant")).status())
				.isEqualTo(400);
		}, "ojs.tenancy.enabled=true");
	}

}
