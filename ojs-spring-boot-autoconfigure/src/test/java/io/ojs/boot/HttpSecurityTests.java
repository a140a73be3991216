package io.ojs.boot;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import io.ojs.boot.worker.OjsFetchAutoConfiguration;
import io.ojs.client.internal.EncodedJob;
import io.ojs.cron.CronJobs;
import io.ojs.cron.CronRequest;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.tenant.TenantResolver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors;
import org.springframework.security.test.web.servlet.setup.SecurityMockMvcConfigurers;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who may call which endpoints, in an application whose filter chain says who is who.
 */
class HttpSecurityTests {

	private static final String JOB = "{\"type\":\"a\",\"args\":[]}";

	private static final WebApplicationContextRunner RUNNER = HttpApi.RUNNER
		.withConfiguration(AutoConfigurations.of(OjsFetchAutoConfiguration.class))
		.withUserConfiguration(Secured.class);

	@RegisterExtension
	static final HttpApi.Kept kept = new HttpApi.Kept(RUNNER);

	@RegisterExtension
	static final HttpApi.Kept withTenants = new HttpApi.Kept(RUNNER, "ojs.tenancy.enabled=true");

	@ParameterizedTest
	@CsvSource({ "GET,/ojs/v1/queues,read", "GET,/ojs/v1/events,read", "GET,/ojs/v1/admin/jobs,read",
			"GET,/ojs/v1/jobs,read", "GET,/ojs/v1/me,read", "GET,/ojs/v1/broker,read", "GET,/ojs/v1/admin/workers,read",
			"GET,/ojs/v1/dead-letter,read", "GET,/ojs/v1/admin/stats,read", "GET,/ojs/v1/depths,read",
			"GET,/ojs/v1/attention,read", "GET,/ojs/v1/stats,read", "POST,/ojs/v1/jobs,write",
			"DELETE,/ojs/v1/jobs/019539a4-0000-7000-8000-000000000000,write", "POST,/ojs/v1/queues/q/pause,admin",
			"POST,/ojs/v1/queues,admin", "PUT,/ojs/v1/queues/q/config,admin", "DELETE,/ojs/v1/queues/q,admin",
			"POST,/ojs/v1/admin/jobs/bulk/delete,admin", "GET,/ojs/v1/operations,read", "POST,/ojs/v1/operations,admin",
			"POST,/ojs/v1/operations/019539a4-0000-7000-8000-000000000000/stop,admin",
			"GET,/ojs/v1/dead-letter/facets,read", "DELETE,/ojs/v1/admin/dead-letter,admin" })
	void callersNeedTheAuthorityOfTheEndpoint(String method, String path, String right) {
		MockMvc mvc = mvc(kept.context());
		assertThat(status(mvc, method, path, null)).isEqualTo(401);
		for (String user : new String[] { "read", "write", "admin" }) {
			int status = status(mvc, method, path, user);
			if (user.equals(right)) {
				assertThat(status).isNotIn(401, 403);
			}
			else {
				assertThat(status).isEqualTo(403);
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "write,201", "application,403" })
	@Tag("QC-6.5-2")
	void producerOfAJobIsTheCallerAndNotTheApplication(String allowed, int status) {
		run((mvc) -> assertThat(status(mvc, "POST", "/ojs/v1/jobs", "write")).isEqualTo(status),
				"ojs.queue-defaults.producers=" + allowed);
	}

	@Test
	void whoMayNotIsToldSoBeforeAnythingElse() {
		HttpApi.RUNNER.run((context) -> {
			HttpApi api = HttpApi.of(context.getSourceApplicationContext());
			assertThat(api.send("POST", "/ojs/v1/jobs", JOB, Map.of("Content-Type", "text/plain")).status())
				.isEqualTo(401);
		});
	}

	@Test
	void wrongPasswordIsNobody() {
		run((mvc) -> assertThat(perform(mvc,
				request("GET", "/ojs/v1/queues").with(SecurityMockMvcRequestPostProcessors.httpBasic("read", "wrong"))))
			.isEqualTo(401));
	}

	@Test
	void manifestAndHealthAreForEverybody() {
		run((mvc) -> {
			assertThat(status(mvc, "GET", "/ojs/manifest", null)).isEqualTo(200);
			assertThat(status(mvc, "GET", "/ojs/v1/health", null)).isEqualTo(200);
		});
	}

	@Test
	void authoritiesHaveTheNamesThatTheApplicationGivesThem() {
		run((mvc) -> {
			assertThat(status(mvc, "GET", "/ojs/v1/queues", "write")).isEqualTo(200);
			assertThat(status(mvc, "GET", "/ojs/v1/queues", "read")).isEqualTo(403);
		}, "ojs.http.authorities.read=SCOPE_ojs:write");
	}

	@Test
	void everybodyMayDoEverythingIfThatIsSaid() {
		run((mvc) -> assertThat(status(mvc, "POST", "/ojs/v1/queues/q/pause", null)).isEqualTo(200),
				"ojs.http.allow-anonymous=true");
	}

	@ParameterizedTest
	@Tag("EI-005")
	@CsvSource({ "read,,403", "read,acme,403", "tenant,,200", "tenant,acme,200", "tenant,other,403", "two,,400",
			"two,acme,200", "two,other,200", "two,third,403", "all,,200", "all,whoever,200" })
	void callersWorkForTheTenantsOfTheirAuthorities(String user, @Nullable String tenant, int status) {
		MockMvc mvc = mvc(withTenants.context());
		MockHttpServletRequestBuilder request = request("GET", "/ojs/v1/events")
			.with(SecurityMockMvcRequestPostProcessors.httpBasic(user, "secret"));
		if (tenant != null) {
			request.header("X-OJS-Tenant", tenant);
		}
		assertThat(perform(mvc, request)).isEqualTo(status);
	}

	@Test
	void callersWorkForTheTenantThatTheApplicationTells() {
		RUNNER.withBean(TenantResolver.class, () -> () -> Optional.of("acme"))
			.withPropertyValues("ojs.tenancy.enabled=true")
			.run((context) -> {
				MockMvc mvc = mvc(context.getSourceApplicationContext());
				assertThat(status(mvc, "GET", "/ojs/v1/events", "read")).isEqualTo(200);
				assertThat(status(mvc, "GET", "/ojs/v1/queues", "read")).isEqualTo(403);
				assertThat(
						perform(mvc,
								request("GET", "/ojs/v1/events").header("X-OJS-Tenant", "other")
									.with(SecurityMockMvcRequestPostProcessors.httpBasic("read", "secret"))))
					.isEqualTo(403);
			});
	}

	@Test
	void cronsOfTheApplicationTakeTheRightToAdmin() {
		RUNNER.run((context) -> {
			MockMvc mvc = mvc(context.getSourceApplicationContext());
			CronJobs crons = context.getBean(CronJobs.class);
			CronRequest nightly = CronRequest.of("nightly", "0 3 * * *", JobRequest.of("report"));
			crons.declare("shop", List.of(nightly));
			String changed = "{\"expression\":\"0 4 * * *\",\"job_template\":{\"type\":\"other\"}}";
			assertThat(status(mvc, "DELETE", "/ojs/v1/cron/nightly", "write")).isEqualTo(403);
			assertThat(status(mvc, "POST", "/ojs/v1/cron/nightly/disable", "write")).isEqualTo(403);
			assertThat(send(mvc, "PUT", "/ojs/v1/cron/nightly", changed, "write").getStatus()).isEqualTo(403);
			assertThat(crons.find("nightly").orElseThrow().request()).isEqualTo(crons.check(nightly));
			assertThat(send(mvc, "PUT", "/ojs/v1/cron/own", changed, "write").getStatus()).isEqualTo(200);
			assertThat(status(mvc, "DELETE", "/ojs/v1/cron/own", "write")).isEqualTo(200);
			assertThat(status(mvc, "DELETE", "/ojs/v1/cron/nightly", "both")).isEqualTo(200);
		});
	}

	@Test
	void jobOfANamedWorkerIsSettledByItsNameAlone() {
		run((mvc) -> {
			send(mvc, "POST", "/ojs/v1/jobs", JOB, "write");
			String id = job(send(mvc, "POST", "/ojs/v1/workers/fetch",
					"{\"queues\":[\"default\"],\"worker_id\":\"w1\"}", "write"));
			String anonymous = "{\"job_id\":\"%s\",\"error\":{\"message\":\"no\"}}".formatted(id);
			for (String call : List.of("ack", "nack")) {
				assertThat(send(mvc, "POST", "/ojs/v1/workers/" + call, anonymous, "write").getStatus()).isEqualTo(409);
			}
			assertThat(send(mvc, "POST", "/ojs/v1/workers/ack",
					"{\"job_id\":\"%s\",\"worker_id\":\"w1\"}".formatted(id), "write")
				.getStatus()).isEqualTo(200);
			send(mvc, "POST", "/ojs/v1/jobs", JOB, "write");
			String other = job(send(mvc, "POST", "/ojs/v1/workers/fetch", "{\"queues\":[\"default\"]}", "write"));
			assertThat(send(mvc, "POST", "/ojs/v1/workers/ack", "{\"job_id\":\"%s\"}".formatted(other), "write")
				.getStatus()).isEqualTo(200);
		});
	}

	/** Its events name the process. */
	@Test
	void jobOfAHandlerOfTheApplicationIsNotSettledByACaller() {
		RUNNER.run((context) -> {
			MockMvc mvc = mvc(context.getSourceApplicationContext());
			String id = new HttpApi.Answer(send(mvc, "POST", "/ojs/v1/jobs", JOB, "write")).text("job.id");
			Job job = context.getBean(JobStore.class).find(id).orElseThrow().job();
			ClaimRequest request = new ClaimRequest(new EncodedJob(job, new JsonJobCodec().encode(job), 3), job.queue(),
					1, Map.of(), Duration.ofSeconds(30));
			assertThat(context.getBean(AttemptStore.class).claim(List.of(request), "process-1", Instant.now(), true))
				.singleElement()
				.isInstanceOf(Claim.Taken.class);
			String named = "{\"job_id\":\"%s\",\"worker_id\":\"process-1\",\"error\":{\"message\":\"no\"}}"
				.formatted(id);
			for (String call : List.of("ack", "nack")) {
				assertThat(send(mvc, "POST", "/ojs/v1/workers/" + call, named, "write").getStatus()).isEqualTo(409);
			}
			assertThat(send(mvc, "PUT", "/ojs/v1/jobs/%s/progress".formatted(id),
					"{\"worker_id\":\"process-1\",\"progress\":0.5}", "write")
				.getStatus()).isEqualTo(409);
			assertThat(context.getBean(JobStore.class).find(id).orElseThrow().job().state()).isEqualTo(JobState.ACTIVE);
		});
	}

	@ParameterizedTest
	@CsvSource({ ",401", "write,403", "read,403", "two,400" })
	void streamIsRefusedBeforeItBegins(@Nullable String user, int status) {
		MockMvc mvc = mvc(withTenants.context());
		MockHttpServletRequestBuilder request = request("GET", "/ojs/v1/events/stream");
		if (user != null) {
			request.with(SecurityMockMvcRequestPostProcessors.httpBasic(user, "secret"));
		}
		HttpApi.Answer refused = answer(mvc, request);
		assertThat(refused.status()).isEqualTo(status);
		assertThat(refused.header("Content-Type")).isEqualTo("application/openjobspec+json");
		assertThat(refused.text("error.message")).isNotEmpty();
	}

	/** A page has to know which tenants it can offer before it can name one. */
	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "read | | 200 | false |", "read | acme | 403 | |", "tenant | | 200 | false | acme",
					"two | | 200 | false | acme,other", "two | other | 200 | false | acme,other",
					"two | third | 403 | |", "all | | 200 | true |", "all | whoever | 200 | true |",
					"write | | 403 | |" })
	void callerLearnsWhichTenantsItMayWorkFor(String user, @Nullable String tenant, int status, @Nullable Boolean all,
			@Nullable String own) {
		MockMvc mvc = mvc(withTenants.context());
		MockHttpServletRequestBuilder request = request("GET", "/ojs/v1/me")
			.with(SecurityMockMvcRequestPostProcessors.httpBasic(user, "secret"));
		if (tenant != null) {
			request.header("X-OJS-Tenant", tenant);
		}
		HttpApi.Answer me = answer(mvc, request);
		assertThat(me.status()).isEqualTo(status);
		if (status == 200) {
			assertThat(me.at("caller")).isEqualTo(user);
			assertThat(me.at("rights")).isEqualTo(List.of("read"));
			assertThat(me.at("tenants.all")).isEqualTo(all);
			assertThat(me.at("tenants.own")).isEqualTo((own != null) ? List.of(own.split(",")) : List.of());
			assertThat(me.at("tenants.current")).isEqualTo("tenant".equals(user) ? "acme" : tenant);
		}
	}

	private static String job(MockHttpServletResponse response) {
		return new HttpApi.Answer(response).text("jobs[0].id");
	}

	static MockHttpServletResponse send(MockMvc mvc, String method, String path, String body, String user) {
		try {
			return mvc
				.perform(request(method, path).content(body)
					.with(SecurityMockMvcRequestPostProcessors.httpBasic(user, "secret")))
				.andReturn()
				.getResponse();
		}
		catch (Exception ex) {
			throw new AssertionError(ex);
		}
	}

	static MockMvc mvc(WebApplicationContext context) {
		return MockMvcBuilders.webAppContextSetup(context).apply(SecurityMockMvcConfigurers.springSecurity()).build();
	}

	@Test
	void whereNoFilterChainCoversARequestNobodyIsKnown() {
		HttpApi.RUNNER.run((context) -> {
			HttpApi api = HttpApi.of(context.getSourceApplicationContext());
			assertThat(api.get("/ojs/v1/queues").status()).isEqualTo(401);
			assertThat(api.get("/ojs/v1/queues").at("error.code")).isEqualTo("unauthenticated");
			assertThat(api.post("/ojs/v1/jobs", JOB).status()).isEqualTo(401);
		});
	}

	private void run(Consumer<MockMvc> test, String... properties) {
		RUNNER.withPropertyValues(properties).run((context) -> {
			if (context.getStartupFailure() != null) {
				throw new AssertionError(context.getStartupFailure());
			}
			test.accept(mvc(context.getSourceApplicationContext()));
		});
	}

	private static int status(MockMvc mvc, String method, String path, @Nullable String user) {
		MockHttpServletRequestBuilder request = request(method, path);
		if (user != null) {
			request.with(SecurityMockMvcRequestPostProcessors.httpBasic(user, "secret"));
		}
		return perform(mvc, request);
	}

	private static MockHttpServletRequestBuilder request(String method, String path) {
		MockHttpServletRequestBuilder request = MockMvcRequestBuilders.request(HttpMethod.valueOf(method), path);
		if (!method.equals("GET")) {
			request.contentType("application/json").content(JOB);
		}
		return request;
	}

	private static int perform(MockMvc mvc, MockHttpServletRequestBuilder request) {
		return answer(mvc, request).status();
	}

	private static HttpApi.Answer answer(MockMvc mvc, MockHttpServletRequestBuilder request) {
		try {
			return new HttpApi.Answer(mvc.perform(request).andReturn().getResponse());
		}
		catch (Exception ex) {
			throw new AssertionError(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class Secured {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) throws Exception {
			return http.securityMatcher("/ojs/**")
				.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.httpBasic(Customizer.withDefaults())
				.csrf((csrf) -> csrf.disable())
				.authenticationManager(new ApiUsers().user("read", "SCOPE_ojs:read")
					.user("write", "SCOPE_ojs:write")
					.user("admin", "SCOPE_ojs:admin")
					.user("both", "SCOPE_ojs:write", "SCOPE_ojs:admin")
					.user("tenant", "SCOPE_ojs:read", "OJS_TENANT_acme")
					.user("two", "SCOPE_ojs:read", "OJS_TENANT_acme", "OJS_TENANT_other")
					.user("all", "SCOPE_ojs:read", "SCOPE_ojs:all-tenants"))
				.build();
		}

	}

}
